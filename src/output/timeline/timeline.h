/* The activity of each thread over time, for pictures: the whole run in bins, and single
 * calls where they fit.
 *
 *	struct timeline_options options = {.session = session, .source = symbols, .events = events};
 *	struct timeline *timeline = timeline_new(&options);
 *	timeline_json(timeline, &out);
 *	timeline_free(timeline);
 *
 * In this picture a call waits until the last call that it needed began: the send of a message, or the last
 * entry to a collective operation. Findings are more precise; the picture shows where to look.
 *
 * Memory and size are bounded: in runs with more than `calls_most` calls, those in `spans` are kept, and JSON
 * is limited to the size of a page. A server of the page asks for one window after the other:
 *
 *	timeline_window_json(timeline, (struct time_span){from, to}, &out); */
#ifndef TARRY_OUTPUT_TIMELINE_TIMELINE_H
#define TARRY_OUTPUT_TIMELINE_TIMELINE_H

#include "analysis/causes/critical_path.h"
#include "analysis/model/iterations.h"
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
	int64_t start_ns;                  /* corrected time of the origin of all others … */
	int64_t length_ns;                 /* … and the duration */
	uint64_t events;                   /* of the trace, if known; 0: more than can be kept */
	const struct critical_path *path;  /* NULL: unknown */
	const struct iteration *iteration; /* NULL: unknown */
	struct time_span run;              /* without starting and ending MPI; equal ends: unknown */
	const struct time_span *spans; /* where single calls are always wanted, the highest priority first */
	size_t span_count;
	bool fills;          /* the room that spans leave, with calls around them */
	uint64_t calls_most; /* limit for keeping all calls; 0: as many as fit into a page */
	bool embeds_all;     /* all of them in JSON, whatever its size */
};

struct timeline *timeline_new(const struct timeline_options *options);
void timeline_free(struct timeline *timeline);
void timeline_json(const struct timeline *timeline, struct text *out);
/* Only what a strip of the whole run shows: no single calls, no path. */
void timeline_strip_json(const struct timeline *timeline, struct text *out);
/* True if all calls are kept, so that any window can be requested. */
bool timeline_keeps_all(const struct timeline *timeline);
/* Single calls of a window, or bins for the width of a screen if there are too many. */
void timeline_window_json(struct timeline *timeline, struct time_span window, struct text *out);

#endif
