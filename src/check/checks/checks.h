/* The table of checks: their names, severities, sections of the standard, and texts. generate.py makes the
 * numbers (enum check) and the table from mpi.checks.
 *
 *	const struct check_info *info = check_info(finding->check);     NULL: no such check
 *	info->why                                                       "{parameter} is {value}. …"
 *
 * Braces contain names of values; output/findings/words.h fills them in. */
#ifndef TARRY_CHECK_CHECKS_CHECKS_H
#define TARRY_CHECK_CHECKS_CHECKS_H

#include "check/checks/ids.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum check_severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE, CHECK_SEVERITIES };

struct check_info {
	const char *id;    /* "argument.negative-count": stable, for suppression files and programs */
	const char *group; /* its class: the part before the dot */
	enum check_severity severity;
	const char *standard; /* section of MPI 4.0; of class shmem: of OpenSHMEM 1.4 */
	const char *values;   /* names of the values of its findings, separated by blanks */
	const char *name, *why, *fix;
};

extern const struct check_info check_table[CHECKS_END]; /* CHECK_NONE is empty */

/* NULL: no such check. */
const struct check_info *check_info(uint32_t check);
/* CHECK_NONE: no such check. */
enum check check_find(const char *id);
/* True: its section is one of OpenSHMEM 1.4. */
bool check_is_of_shmem(const struct check_info *info);
/* "error", "warning", "note": the same in all languages, for programs. */
const char *severity_id(enum check_severity severity);

#endif
