/* Merges the parts of a job into one file. */
#ifndef TARRY_TRACE_MERGE_H
#define TARRY_TRACE_MERGE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recover_options {
	int64_t ended_ns; /* end of the job since 1970; 0: unknown */
	bool keep_parts;
	unsigned jobs;                 /* threads; 0: 1 */
	void (*progress)(double part); /* from 0 to 1, in any thread; may be NULL */
};

struct recover_report {
	size_t processes;
	size_t chunks;
	size_t open_chunks; /* not sealed by the job */
	size_t missing;     /* processes of these worlds without a part */
	uint64_t events;
	uint64_t bytes; /* of the trace */
	char **damage;  /* a sentence for each */
	size_t damage_count;
	char *notes;     /* of the recorder, one sentence per line; NULL: none */
	bool parts_kept; /* because of the damage, or the options */
};

/* Makes `output`, "NAME.tarry", from the folder "NAME.tarry.parts". Removes the folder when the trace is on disk, unless something
 * was damaged. If the trace exists already and has other worlds of the job, the parts are added to it. */
enum status trace_recover(const char *output, const struct recover_options *options,
                          struct recover_report *report) MUST_CHECK;

/* Makes `output` of one world in the folder, for a job that publishes it itself: the folder and its notes stay as they are. Fails if something is
 * damaged. */
enum status trace_merge_world(const char *folder, uint64_t world, const char *output,
                              const struct recover_options *options) MUST_CHECK;

/* The same for a folder and a trace of any name. The trace must not exist. */
enum status trace_recover_from(const char *folder, const char *output, const struct recover_options *options,
                               struct recover_report *report) MUST_CHECK;

/* Removes the folder of the parts without making a trace. */
void parts_discard(const char *folder);

void recover_report_release(struct recover_report *report);

#endif
