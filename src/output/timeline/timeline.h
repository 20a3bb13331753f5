/* What each thread did over time, for pictures: the whole run in bins, and single calls where there is room for them.
 *
 *	struct timeline_options options = {.session = session, .source = symbols, .events = events};
 *	struct timeline *timeline = timeline_new(&options);
 *	timeline_json(timeline, &out);
 *	timeline_free(timeline);
 *
 * A call waits, in this picture, until the last one began whom it needed: the sender of a message, or the last to enter a collective
 * operation that it needs. Findings are more careful; here one sees at once where to look.
 *
 * Memory and size are bounded: of runs with more than `calls_most` calls, those in `spans` are kept; and JSON has no more than a page has room for.
 * Whoever has a connection to the page asks for one window after the other:
 *
 *	timeline_window_json(timeline, (struct time_span){from, to}, &out); */
#ifndef TARRY_OUTPUT_TIMELINE_TIMELINE_H
#define TARRY_OUTPUT_TIMELINE_TIMELINE_H

#include "analysis/causes/critical_path.h"
#include "analysis/model/session.h"
#include "analysis/symbols/symbols.h"
#include "base/text.h"

/* Nanoseconds since the start of the run. */
struct time_span {
	int64_t from, to;
};

struct timeline_options {
	struct analysis_session *session;
	struct symbols *source;
	int64_t start_ns;                 /* corrected time that all others count from … */
	int64_t length_ns;                /* … and for how long */
	uint64_t events;                  /* of the trace, if that is known; 0: more than can be kept */
	const struct critical_path *path; /* NULL: it is not known */
	const struct time_span *spans; /* where single calls are wanted in any case, the most wanted first */
	size_t span_count;
	uint64_t calls_most; /* that are kept, if they are all; 0: as many as a page has room for */
	bool embeds_all;     /* all of them in JSON, whatever its size */
};

struct timeline *timeline_new(const struct timeline_options *options);
void timeline_free(struct timeline *timeline);
void timeline_json(const struct timeline *timeline, struct text *out);
/* Whether all calls are kept, so that any window can be asked for. */
bool timeline_keeps_all(const struct timeline *timeline);
/* Single calls of a window, or as many bins as a screen is wide where there are too many of them. */
void timeline_window_json(struct timeline *timeline, struct time_span window, struct text *out);

#endif
