/* Reads the events of a thread, ahead of the replay where that is needed: whose message a receive with a wildcard got
 * is told only when its request completes, but receives that are posted after it must not get that message.
 *
 *	struct foresight foresight = {.limit = 1000};
 *	while (foresight_next(&foresight, source, &event, &role))
 *		if (is_open(role) && foresee(&foresight, source, role->request, &outcome))
 *			… outcome.source, outcome.source_tag …
 *	foresight_release(&foresight);
 *
 * Events are read once; as many as `limit` are kept. */
#ifndef TARRY_MODEL_FORESIGHT_H
#define TARRY_MODEL_FORESIGHT_H

#include "model/role.h"
#include "trace/reader.h"

struct ahead {
	struct event event;
	struct role *role;
};

struct foresight {
	uint32_t limit; /* 0: never looks ahead */
	struct ahead *ring;
	uint32_t first, count, room;
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

bool foresight_next(struct foresight *foresight, struct event_source source, struct event *event,
                    struct role **role);
/* The outcome of an open request that the event at hand begins. False: not within the limit; then it has to be taken
 * from the call that completes the request, and forgotten here with foresight_skip(). */
bool foresee(struct foresight *foresight, struct event_source source, int64_t request,
             struct outcome *outcome);
void foresight_skip(struct foresight *foresight, int64_t request);
void foresight_release(struct foresight *foresight);

#endif
