/* What each thread did over time, for pictures: the whole run in bins, and single calls where there is room for them.
 *
 *	struct timeline_wish wish = {.reader = reader, .time = time, .source = symbols, .events = events};
 *	struct timeline *timeline = timeline_new(&wish);
 *	timeline_json(timeline, &out);
 *	timeline_free(timeline);
 *
 * A call waits, in this picture, until the last one began whom it needed: the sender of a message, or the last to enter a collective
 * operation that it needs. Findings are more careful; here one sees at once where to look.
 *
 * Memory and size are bounded: TIMELINE_CALLS calls are kept, of longer runs those in `spans` first. */
#ifndef TARRY_OUTPUT_TIMELINE_TIMELINE_H
#define TARRY_OUTPUT_TIMELINE_TIMELINE_H

#include "analysis/model/logical_clock.h"
#include "analysis/symbols/symbols.h"
#include "base/text.h"

/* Nanoseconds since the start of the run. */
struct time_span {
	int64_t from, to;
};

struct timeline_wish {
	struct reader *reader;
	const struct corrected_time *time;
	struct symbols *source;
	int64_t start_ns;              /* corrected time that all others count from … */
	int64_t length_ns;             /* … and for how long */
	uint64_t events;               /* of the trace, if that is known; 0: more than can be kept */
	const struct time_span *spans; /* where single calls are wanted in any case, the most wanted first */
	size_t span_count;
	void (*progress)(double part);
};

struct timeline *timeline_new(const struct timeline_wish *wish);
void timeline_free(struct timeline *timeline);
void timeline_json(const struct timeline *timeline, struct text *out);

#endif
