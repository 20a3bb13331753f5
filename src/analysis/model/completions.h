/* Writes completions and collective operations as rows as soon as each is complete (relations.table).
 * Internal to the replay.
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
	int64_t next_other;
	struct earlier_messages earlier;
};

/* A completion that waits for the receives of some of its messages to be posted. */
struct pending_completion {
	struct occurrence wait;
	int64_t met;
	struct message_side *sides;
	uint32_t count, room;
	uint32_t missing; /* receives that are not posted yet */
	uint32_t next;    /* in the list of free ones: number + 1 */
	uint32_t behind;  /* the next one of its process that waits for this one: number + 1 */
	bool is_queued;
	bool is_told; /* to the second sink */
};

struct completions {
	struct message_side *sides; /* of the call that is being completed */
	uint32_t side_count, side_room;
	struct pending_completion *pending;
	uint32_t pending_count, pending_room, free;
};

/* Both sides are known. */
static inline void fill_transfer(struct transfer *transfer, const struct match *match, bool is_send)
{
	transfer->send = match->send;
	transfer->post = match->post;
	transfer->is_send = is_send;
	transfer->is_probe = match->state & MATCH_PROBE;
	transfer->earlier = transfer->earlier_bytes = 0;
	transfer->next_other = 0;
}

static inline void fill_earlier(struct transfer *transfer, struct earlier_messages earlier)
{
	transfer->earlier = earlier.count;
	transfer->earlier_bytes = earlier.bytes;
}

/* The operation of one side of a match is complete in its process. */
void completions_add(struct replay *replay, struct match *match, bool is_send);
/* A probe has found its message, and continues. */
void completions_add_probe(struct replay *replay, const struct match *probe);
void completions_end_call(struct replay *replay, const struct occurrence *wait, int64_t met);
void completions_posted(struct replay *replay, struct match *sent);
/* A message without a recorded receive: no completion waits for it. */
void completions_drop(struct replay *replay, struct match *sent);
/* A posted receive was cancelled. */
void completions_unposted(struct replay *replay, const struct match *sent);
void write_collective(void *replay, const struct collective *collective);
void completions_end(struct replay *replay);
void completions_release(struct completions *completions);

#define COMPLETION_OWN (NO_COMPLETION - 1) /* of a message completed by its own call alone */

/* Wrong order of messages: a receive waited for its message although an earlier message was received only
 * later. The later one is unknown at first, so the last waiting receives of each process are kept, at least
 * as many as in Scalasca, and also the completions of those that received a single message (`next_other`).
 * Rules define the cost.
 *
 *	if (process->late && is_inverted(process->late, &wait, send.start))   for each received message
 *		inversions_look_back(process->late, &wait, &send);
 *	inversions_waited(replay, process, &wait, &send);                    if it waited: at least for the last
 *	inversions_end(replay); */
enum { LATE_KEPT_FIRST = 8, LATE_KEPT_MAX = 128, HELD_MAX = 8 };

/* For all processes together, about 60 MB; above 4,096 processes each keeps fewer receives. */
enum { LATE_KEPT_BY_ALL = 4096 * LATE_KEPT_MAX };

struct replay_process;

struct late_receive {
	struct inversion row;
	bool is_inverted;
	int64_t next_other; /* of the transfer */
	uint32_t held;      /* number of its completion + 1; 0: not kept */
};

/* A ring that grows up to its limit. */
struct late_receives {
	struct late_receive *items;
	size_t room;
	uint64_t count;
	int64_t newest_start, newest_sent; /* of the newest receive */
	int64_t last_sent;                 /* no other message is later */
};

/* True if this send began before that of another message for which a call waited. */
static inline bool is_inverted(const struct late_receives *kept, const struct occurrence *wait, int64_t sent)
{
	return sent < kept->last_sent || (sent < kept->newest_sent && wait->start != kept->newest_start);
}

/* For a receive that waits for this message alone: its completion is kept. */
bool is_held(const struct replay *replay, const struct occurrence *wait, int64_t sent);

void inversions_look_back(struct late_receives *kept, const struct occurrence *wait,
                          const struct occurrence *send);
void inversions_waited(struct replay *replay, struct replay_process *proc, const struct occurrence *wait,
                       const struct occurrence *send);
void inversions_end(struct replay *replay);

#endif
