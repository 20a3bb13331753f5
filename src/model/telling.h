/* Tells what calls completed and who gathered, as soon as all of it is known (model/relations.h). Internal to the replay.
 *
 *	telling_add(scene, half);        for each message that the call received or sent
 *	telling_completed(scene, &call);
 *	telling_posted(scene, sent);     whenever the receive of a message is posted
 *	telling_end(scene); */
#ifndef TARRY_MODEL_TELLING_H
#define TARRY_MODEL_TELLING_H

#include "model/match.h"
#include "model/meeting.h"

struct scene;

/* A completion that waits for the receives of some of its messages to be posted. */
struct pending {
	struct occurrence wait;
	uint32_t *sides; /* halves */
	uint32_t count, room;
	uint32_t missing; /* receives that are not posted yet */
	uint32_t next;    /* of those that are free: one above the number */
	uint32_t behind;  /* of its process, the next that waits for this one to be told: likewise */
	bool is_queued;
};

struct telling {
	uint32_t *sides; /* of the call that is being completed */
	uint32_t side_count, side_room;
	struct transfer *transfers;
	uint32_t transfer_room;
	struct pending *pending;
	uint32_t pending_count, pending_room, free;
};

/* Room for the transfers of one completion. */
void telling_make_room(struct telling *telling, uint32_t count);

/* Of a half whose partner is known. */
static inline void fill_transfer(const struct matcher *matcher, const struct half *half,
                                 struct transfer *transfer)
{
	const struct half *partner = half_get(matcher, half->partner);
	bool is_send = half->kind == HALF_SEND;
	const struct half *sent = is_send ? half : partner;
	const struct role *role = sent->by.role;

	transfer->send = sent->by;
	transfer->post = (is_send ? partner : half)->by;
	transfer->comm = role->comm;
	transfer->source = role->own.rank;
	transfer->dest = (uint32_t)role->dest;
	transfer->tag = role->tag;
	transfer->is_send = is_send;
}

/* A half is over for its own process. */
void telling_add(struct scene *scene, uint32_t half);
void telling_completed(struct scene *scene, const struct occurrence *wait);
void telling_posted(struct scene *scene, uint32_t sent);
/* A receive that was posted has been taken back. */
void telling_taken_back(struct scene *scene, uint32_t sent);
void telling_meeting(void *scene, const struct meeting *meeting);
void telling_end(struct scene *scene);
void telling_release(struct telling *telling);

#define COMPLETION_OWN (NO_COMPLETION - 1) /* of a message whose own call completed it, and nothing else */

/* Nobody will ask for this half on behalf of its process any more. */
void half_done(struct scene *scene, uint32_t half);

#endif
