/* Which receive gets which message, as MPI has it: of the messages from one rank to another with one tag on one
 * communicator, the first goes to the receive that was posted first.
 *
 *	uint32_t sent = match_send(&matcher, where, &half);
 *	uint32_t posted = match_receive(&matcher, where, &half);
 *	if (half_get(&matcher, posted)->partner != NO_HALF)
 *		… the message is there …
 *	match_finish(&matcher, posted);
 *
 * A message and a receive are the two halves of a match. A half waits in the channel of its envelope until the other
 * comes. Memory is that of the halves under way. */
#ifndef TARRY_MODEL_MATCH_H
#define TARRY_MODEL_MATCH_H

#include "model/pair_map.h"
#include "trace/reader.h"

#define NO_HALF UINT32_MAX

/* An envelope; of an intercommunicator, `channel` tells the direction too. */
struct envelope {
	uint32_t channel;
	uint32_t source, dest;
	int32_t tag;
};

enum half_kind { HALF_FREE, HALF_SEND, HALF_RECEIVE, HALF_PROBE };

struct half {
	const struct call *call; /* that sent it, or posted the receive */
	uint64_t start, end;     /* of that call */
	int64_t moment;          /* what the visitor made of the start */
	struct envelope where;
	struct stream *stream;
	uint32_t process;
	uint32_t partner; /* of a probe: the message found, which does not know of it */
	uint32_t next;
	enum half_kind kind;
	bool queued;
};

struct matcher {
	struct half *halves;
	uint32_t half_count, half_room, free;
	struct pair_map channels; /* envelope to queue */
	struct queue *queues;
	uint32_t queue_count, queue_room, free_queue;
	size_t busy_queues;     /* in which something waits */
	uint64_t waiting_sends; /* that no receive was found for yet */
};

static inline struct half *half_get(const struct matcher *matcher, uint32_t number)
{
	return &matcher->halves[number];
}

/* Each returns the number of the half, whose kind, partner and place in the queue are set here. `woken` is the receive or
 * probe that waited for this message, or NO_HALF. */
uint32_t match_send(struct matcher *matcher, const struct half *half, uint32_t *woken);
uint32_t match_receive(struct matcher *matcher, const struct half *half);
/* Finds the message that a receive posted now would get, or waits for it like a receive. */
uint32_t match_probe(struct matcher *matcher, const struct half *half);
/* The message that a probe found is taken out of the channel: the probe becomes a receive of it. */
void match_take(struct matcher *matcher, uint32_t probe);

/* A receive is over, and the message that it got with it. */
void match_finish(struct matcher *matcher, uint32_t receive);
/* A receive or a probe ends without a message: one that it was given goes to the next, which is returned, or
 * NO_HALF. */
uint32_t match_withdraw(struct matcher *matcher, uint32_t receive);
/* The last message of this call that nobody received is taken back. False: there is none. */
bool match_cancel_send(struct matcher *matcher, struct envelope where, const struct call *call);

void matcher_release(struct matcher *matcher);

#endif
