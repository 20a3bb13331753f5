/* Reads the events of a thread, ahead of the replay where that is needed: whose message a receive with a wildcard got
 * is told only when its request completes, but receives that are posted after it must not get that message.
 *
 *	struct foresight foresight = {.limit = 1000, .batch = 16};
 *	while (foresight_next(&foresight) || foresight_read(&foresight, source))
 *		if (is_open(foresight.role) && foresee(&foresight, source, foresight.role->request, &outcome))
 *			… outcome.source, outcome.source_tag …
 *	foresight_release(&foresight);
 *
 * Events are read once, some at a time; as many as `limit` are kept beyond that. */
#ifndef TARRY_ANALYSIS_MODEL_FORESIGHT_H
#define TARRY_ANALYSIS_MODEL_FORESIGHT_H

#include "analysis/model/role.h"
#include "trace/reader.h"

struct foresight {
	const struct event *event; /* at hand */
	struct role *role;
	struct event *events; /* read already: `at` is the one at hand */
	struct role **roles;
	uint32_t at, count, room;
	uint32_t batch;        /* events that are read at a time */
	uint32_t limit;        /* 0: never looks ahead */
	struct watch *watches; /* by request */
	uint64_t watch_count;
	struct foreseen *outcomes;
	uint32_t outcome_count, outcome_room, free;
	uint32_t open; /* requests whose outcome was not met yet */
};

/* Where events come from. */
struct event_source {
	struct event_iter *iter;
	struct roles *roles;
	const struct comm_table *comms;
	uint32_t process;
};

/* Goes on to the next event that was read already. False: there is none, and more has to be read. */
static inline bool foresight_next(struct foresight *foresight)
{
	uint32_t at = foresight->at + 1;

	if (at >= foresight->count)
		return false;
	foresight->at = at;
	foresight->event = &foresight->events[at];
	foresight->role = foresight->roles[at];
	return true;
}

bool foresight_read(struct foresight *foresight, struct event_source source);

/* The outcome of an open request that the event at hand begins. False: not within the limit; then it has to be taken
 * from the call that completes the request, and forgotten here with foresight_skip(). */
bool foresee(struct foresight *foresight, struct event_source source, int64_t request,
             struct outcome *outcome);
void foresight_skip(struct foresight *foresight, int64_t request);
void foresight_release(struct foresight *foresight);

#endif
