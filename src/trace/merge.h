/* Making one file of the parts that a job left behind. */
#ifndef TARRY_TRACE_MERGE_H
#define TARRY_TRACE_MERGE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recover_report {
	size_t processes;
	size_t chunks;
	size_t open_chunks; /* that the job left unsealed */
	size_t missing;     /* processes that belong to the same worlds, and of which there is nothing */
	uint64_t events;
	uint64_t bytes; /* of the trace */
	char **damage;  /* a sentence each: what could not be saved */
	size_t damage_count;
	char *notes;     /* what the recorder had to say, a sentence a line; NULL: nothing */
	bool parts_kept; /* because of the damage */
};

/* Makes `output`, "NAME.tarry", from the folder "NAME.tarry.parts", which goes away when the trace is complete and
 * on disk, unless something was damaged. If the trace exists already, made of the parts of other worlds of the
 * job, it becomes one with both. `ended_ns`: when the job had ended, since 1970; 0: not known. */
enum status trace_recover(const char *output, int64_t ended_ns, struct recover_report *report) MUST_CHECK;

/* The same with a folder and a trace of any name; here the trace must not exist. */
enum status trace_recover_from(const char *folder, const char *output,
                               struct recover_report *report) MUST_CHECK;

void recover_report_release(struct recover_report *report);

#endif
