/* Tells what calls completed and who gathered, as soon as all of it is known (model/relations.h). Internal to the replay.
 *
 *	telling_add(scene, match, is_send);        for each message that the call received or sent
 *	telling_completed(scene, &call, call.start);
 *	telling_posted(scene, sent);               whenever the receive of a message is posted
 *	telling_end(scene); */
#ifndef TARRY_ANALYSIS_MODEL_TELLING_H
#define TARRY_ANALYSIS_MODEL_TELLING_H

#include "analysis/model/match.h"
#include "analysis/model/meeting.h"

struct scene;

struct message_side {
	struct match *match;
	bool is_send;
	struct overtaken overtaken;
};

/* A completion that waits for the receives of some of its messages to be posted. */
struct pending {
	struct occurrence wait;
	int64_t met;
	struct message_side *sides;
	uint32_t count, room;
	uint32_t missing; /* receives that are not posted yet */
	uint32_t next;    /* of those that are free: one above the number */
	uint32_t behind;  /* of its process, the next that waits for this one to be told: likewise */
	bool is_queued;
};

struct telling {
	struct message_side *sides; /* of the call that is being completed */
	uint32_t side_count, side_room;
	struct pending *pending;
	uint32_t pending_count, pending_room, free;
};

/* Both sides have come. */
static inline void fill_transfer(struct transfer *transfer, const struct match *match, bool is_send)
{
	transfer->send = match->send;
	transfer->post = match->post;
	transfer->is_send = is_send;
	transfer->is_probe = match->state & MATCH_PROBE;
	transfer->overtakes = false;
	transfer->overtaken = 0;
}

static inline void fill_overtaken(struct transfer *transfer, struct overtaken overtaken)
{
	transfer->overtakes = overtaken.exist;
	transfer->overtaken = overtaken.bytes;
}

/* The side of a match is over for its own process. */
void telling_add(struct scene *scene, struct match *match, bool is_send);
/* A probe has found its message, and goes on. */
void telling_add_probe(struct scene *scene, const struct match *probe);
void telling_completed(struct scene *scene, const struct occurrence *wait, int64_t met);
void telling_posted(struct scene *scene, struct match *sent);
/* A receive that was posted has been taken back. */
void telling_taken_back(struct scene *scene, const struct match *sent);
void telling_meeting(void *scene, const struct meeting *meeting);
void telling_end(struct scene *scene);
void telling_release(struct telling *telling);

#define COMPLETION_OWN (NO_COMPLETION - 1) /* of a message whose own call completed it, and nothing else */

#endif
