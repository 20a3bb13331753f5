/* Reads the events of a thread, ahead of the replay if necessary: the source of a wildcard receive is known
 * only when its request completes, but later receives must not get its message.
 *
 *	struct lookahead lookahead = {.limit = 1000, .batch = 16};
 *	while (lookahead_next(&lookahead) || lookahead_read(&lookahead, source))
 *		if (is_open(lookahead.semantics) && look_ahead(&lookahead, source, lookahead.semantics->request, &outcome))
 *			… outcome.source, outcome.source_tag …
 *	lookahead_release(&lookahead);
 *
 * Events are read once, in batches; at most `limit` more are kept. */
#ifndef TARRY_ANALYSIS_MODEL_LOOKAHEAD_H
#define TARRY_ANALYSIS_MODEL_LOOKAHEAD_H

#include "analysis/model/call_semantics.h"
#include "trace/reader.h"

struct lookahead {
	const struct event *event; /* the current event */
	struct call_semantics *semantics;
	struct event *events; /* read already: `at` is the current one */
	struct call_semantics **semantics_ahead;
	uint32_t at, count, room;
	uint32_t batch;                 /* events that are read at a time */
	uint32_t limit;                 /* 0: never looks ahead */
	struct request_ahead *requests; /* by request */
	uint64_t request_count;
	struct known_outcome *outcomes;
	uint32_t outcome_count, outcome_room, free;
	uint32_t open; /* requests whose outcome was not reached yet */
	/* Unrecorded calls before the events that were read: `skipped_at` is the first that the
	 * replay has not reached. */
	struct call_skip {
		uint64_t tick, count;
		struct call_semantics *semantics;
	} * skipped;
	uint32_t skipped_at, skipped_count, skipped_room;
};

/* The source of events. */
struct event_source {
	struct event_iter *iter;
	struct semantics_table *semantics_table;
	const struct comm_table *comms;
	uint32_t process;
};

/* Advances to the next event that was already read. False: none, more must be read. */
static inline bool lookahead_next(struct lookahead *lookahead)
{
	uint32_t at = lookahead->at + 1;

	if (at >= lookahead->count)
		return false;
	lookahead->at = at;
	lookahead->event = &lookahead->events[at];
	lookahead->semantics = lookahead->semantics_ahead[at];
	return true;
}

bool lookahead_read(struct lookahead *lookahead, struct event_source source);

/* The outcome of the open request begun by the current event. False: not within the limit; then take it from
 * the completing call, and forget it here with lookahead_skip(). */
bool look_ahead(struct lookahead *lookahead, struct event_source source, int64_t request,
                struct outcome *outcome);
void lookahead_skip(struct lookahead *lookahead, int64_t request);
void lookahead_release(struct lookahead *lookahead);

#endif
