/* The reliability of the findings, with reasons: a table of conditions on the trace and the analysis
 * (trust.c).
 *
 *	collect_trust(report);
 *	if (report->trust.verdict == TRUST_NONE) … the findings are meaningless …
 *	else if (!report->trust.can_judge) … findings are real, but others may be missing …
 *
 * Reasons are ordered by verdict, the most severe first. */
#ifndef TARRY_OUTPUT_REPORT_TRUST_H
#define TARRY_OUTPUT_REPORT_TRUST_H

#include "analysis/rules/functions.h"
#include "base/arena.h"
#include "trace/reader.h"

#include <stdbool.h>
#include <stddef.h>

struct report;

enum trust_verdict { TRUST_FULL, TRUST_LIMITED, TRUST_NONE, TRUST_VERDICTS };

/* The findings that may be missing, so that a limit may be kept only by mistake. */
enum hiding {
	HIDES_NOTHING, /* at most findings in parts of the run that the user excluded */
	HIDES_SOME,    /* findings of some problems: may_be_hidden() */
	HIDES_ANY
};

struct trust_reason {
	const char *id; /* "oversubscribed" */
	enum trust_verdict verdict;
	enum hiding hides;
	const char *text;   /* a few words, for one line */
	const char *detail; /* sentences with the consequence and a remedy; may be "" */
};

struct report_trust {
	enum trust_verdict verdict; /* the most severe of the reasons */
	bool can_judge;             /* a limit that is not exceeded is kept, for all findings */
	/* The recorded functions; NULL: no function was excluded. */
	const struct recorded_functions *functions;
	struct trust_reason *reasons;
	size_t reason_count;
};

/* For programs. */
extern const char *const trust_names[TRUST_VERDICTS];

/* Fills report->trust. */
void collect_trust(struct report *report);

/* The findings that may be missing because the user excluded calls (--only, --not).
 *
 *	const struct recorded_functions *functions = recorded_functions_of(reader, &arena);
 *	if (functions && may_be_hidden(functions, book, problem)) … a missing finding proves nothing …
 *
 * A problem needs functions (analysis/rules/functions.h), and the trace lists the recorded functions. With
 * --minimal all functions that the rules need are recorded. Missing completions of requests hide nothing if
 * no relevant request was begun. */

struct recorded_functions {
	bool recorded[SELECTABLE]; /* calls of the function are recorded */
	bool called[ALL_CALLS];    /* functions that begin requests: the program calls it */
	bool has_mpi, has_pgas;
};

bool may_be_hidden(const struct recorded_functions *functions, const struct rulebook *book,
                   const struct problem *problem);

#endif
