/* Completions and collective operations, written as rows as soon as all of each is known (relations.table). Internal to the replay.
 *
 *	completions_add(replay, match, is_send);        for each message that the call received or sent
 *	completions_end_call(replay, &call, call.start);
 *	completions_posted(replay, sent);               whenever the receive of a message is posted
 *	completions_end(replay); */
#ifndef TARRY_ANALYSIS_MODEL_COMPLETIONS_H
#define TARRY_ANALYSIS_MODEL_COMPLETIONS_H

#include "analysis/model/collectives.h"
#include "analysis/model/match.h"

struct replay;

struct message_side {
	struct match *match;
	bool is_send;
	struct overtaken overtaken;
};

/* A completion that waits for the receives of some of its messages to be posted. */
struct pending_completion {
	struct occurrence wait;
	int64_t met;
	struct message_side *sides;
	uint32_t count, room;
	uint32_t missing; /* receives that are not posted yet */
	uint32_t next;    /* of those that are free: one above the number */
	uint32_t behind;  /* of its process, the next that waits for this one: likewise */
	bool is_queued;
};

struct completions {
	struct message_side *sides; /* of the call that is being completed */
	uint32_t side_count, side_room;
	struct pending_completion *pending;
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
void completions_add(struct replay *replay, struct match *match, bool is_send);
/* A probe has found its message, and goes on. */
void completions_add_probe(struct replay *replay, const struct match *probe);
void completions_end_call(struct replay *replay, const struct occurrence *wait, int64_t met);
void completions_posted(struct replay *replay, struct match *sent);
/* A receive that was posted has been taken back. */
void completions_unposted(struct replay *replay, const struct match *sent);
void write_collective(void *replay, const struct collective *collective);
void completions_end(struct replay *replay);
void completions_release(struct completions *completions);

#define COMPLETION_OWN (NO_COMPLETION - 1) /* of a message whose own call completed it, and nothing else */

#endif
