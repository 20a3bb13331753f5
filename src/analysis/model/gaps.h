/* Gaps in a trace that make matching impossible, because messages are matched by order alone.
 *
 *	struct left_out left_out = left_out_of(process);
 *	if (left_out.some_traffic) … no message of this process can be matched …
 *	if (event.start >= lost_since(process)) … from here on, neither can collective calls …
 *
 * Counted calls (SKIPPED records) are not gaps. */
#ifndef TARRY_ANALYSIS_MODEL_GAPS_H
#define TARRY_ANALYSIS_MODEL_GAPS_H

#include "trace/reader.h"

/* By the user's choice of functions to record (--only, --not). */
struct left_out {
	bool some_traffic;     /* some functions that send or receive, which the program may have called */
	bool some_completions; /* some functions that complete requests */
};

struct left_out left_out_of(const struct process *process);

/* The tick from which on calls are missing while others follow; UINT64_MAX: none. */
uint64_t lost_since(const struct process *process); /* because of missing chunks */
uint64_t unrecorded_since(
	const struct stream *stream); /* as far as read: because of an uncounted pause, or the missing rest */

#endif
