/* What is missing from a trace, so that it cannot tell which message a receive got: that follows from the order alone.
 *
 *	struct left_out left_out = left_out_of(process);
 *	if (left_out.some_traffic) … no message of this process can be matched …
 *	if (event.start >= lost_since(process)) … from here on, neither can collective calls …
 *
 * What was counted (SKIPPED records) is not missing. */
#ifndef TARRY_ANALYSIS_MODEL_GAPS_H
#define TARRY_ANALYSIS_MODEL_GAPS_H

#include "trace/reader.h"

/* By the user's choice of functions to record (--only, --not). */
struct left_out {
	bool some_traffic; /* some functions that send or receive, which the program called or may have called */
	bool some_completions; /* some functions that complete requests */
};

struct left_out left_out_of(const struct process *process);

/* Ticks from which on something is missing, while other things follow; UINT64_MAX: nothing is. */
uint64_t lost_since(const struct process *process); /* as chunks are missing */
uint64_t
unrecorded_since(const struct stream
                         *stream); /* as far as it was read: a pause that was not counted, or all the rest */

#endif
