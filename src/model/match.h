/* Which receive gets which message, as MPI has it: of the messages from one rank to another with one tag on one
 * communicator, the first goes to the receive that was posted first.
 *
 *	uint32_t queue = queue_get(&matcher, &role->sends_to, where);
 *	uint32_t sent = match_send(&matcher, queue, &call, &woken);
 *	uint32_t posted = match_receive(&matcher, queue, &call);
 *	if (half_get(&matcher, posted)->partner != NO_HALF)
 *		… the message is there …
 *	match_finish(&matcher, posted);
 *
 * A message and a receive are the two halves of a match. A half waits in the queue of its envelope until the other
 * comes. Memory is that of the halves under way. */
#ifndef TARRY_MODEL_MATCH_H
#define TARRY_MODEL_MATCH_H

#include "model/pair_map.h"
#include "model/relations.h"

#define NO_HALF UINT32_MAX
#define NO_COMPLETION UINT32_MAX

/* An envelope; of an intercommunicator, `channel` tells the direction too. */
struct envelope {
	uint32_t channel;
	uint32_t source, dest;
	int32_t tag;
};

/* The side of the sender tells the two directions of an intercommunicator apart. */
static inline struct envelope sent_envelope(const struct role *role)
{
	return (struct envelope){.channel = role->own.comm * 2 + role->own.side,
	                         .source = role->own.rank,
	                         .dest = (uint32_t)role->dest,
	                         .tag = role->tag};
}

enum half_kind { HALF_FREE, HALF_SEND, HALF_RECEIVE, HALF_PROBE };

struct half {
	struct occurrence
		by; /* the call that sent it, or posted the receive; the role of a prepared one is that of the
	                       * call that prepared it */
	uint32_t queue;
	uint32_t partner; /* of a probe: the message found, which does not know of it */
	uint32_t next;    /* in the queue */
	uint32_t
		completion; /* of a message: what cannot be told before its receive is posted (model/telling.h) */
	uint8_t kind;
	bool queued : 1;
	bool is_awaited : 1; /* its process does not go on without the message */
	bool is_done : 1;    /* its own process has no more to do with it: who is done last frees both */
	bool is_posted : 1;  /* a receive, not only a probe that took the message */
};

/* Halves of one envelope that wait, all of them messages or all of them receives and probes. */
struct queue {
	struct envelope where;
	uint32_t first, last; /* NO_HALF: nothing waits */
	uint32_t generation;  /* changes when the envelope does */
	uint32_t next_free;   /* one above the number; 0: none */
	bool exists;
};

struct matcher {
	struct half *halves;
	uint32_t half_count, half_room, free;
	struct pair_map channels; /* envelope to queue */
	struct queue *queues;
	uint32_t queue_count, queue_room, free_queue;
	size_t plenty; /* queues: so many, and those go in which nothing waits */
	size_t idle;   /* of which so many may be there */
};

static inline struct half *half_get(const struct matcher *matcher, uint32_t number)
{
	return &matcher->halves[number];
}

/* The queue of an envelope, which is always the same for this reference. Good until another one is asked for. */
uint32_t queue_look_up(struct matcher *matcher, struct queue_ref *ref, struct envelope where);

static inline bool queue_is_known(const struct matcher *matcher, const struct queue_ref *ref)
{
	return ref->generation && matcher->queues[ref->number].generation == ref->generation;
}

/* Room for one more. */
uint32_t half_grow(struct matcher *matcher);

static inline uint32_t half_new(struct matcher *matcher, uint32_t queue, const struct occurrence *by,
                                enum half_kind kind)
{
	/* Numbers of ended halves come first; `free` is one above the first of them, 0 if there is none. */
	uint32_t number = matcher->free ? matcher->free - 1 : half_grow(matcher);
	struct half *half = half_get(matcher, number);

	matcher->free = half->next;
	*half = (struct half){.by = *by,
	                      .queue = queue,
	                      .partner = NO_HALF,
	                      .next = NO_HALF,
	                      .completion = NO_COMPLETION,
	                      .kind = (uint8_t)kind,
	                      .is_posted = kind == HALF_RECEIVE};
	return number;
}

static inline void half_free(struct matcher *matcher, uint32_t number)
{
	half_get(matcher, number)->kind = HALF_FREE;
	half_get(matcher, number)->next = matcher->free;
	matcher->free = number + 1;
}

static inline void half_enqueue(struct matcher *matcher, uint32_t number)
{
	struct half *half = half_get(matcher, number);
	struct queue *queue = &matcher->queues[half->queue];

	half->queued = true;
	if (queue->first == NO_HALF)
		queue->first = number;
	else
		half_get(matcher, queue->last)->next = number;
	queue->last = number;
}

/* The first of its queue is paired with the other one. */
static inline void half_pair_first(struct matcher *matcher, uint32_t first, uint32_t other)
{
	struct half *half = half_get(matcher, first);

	matcher->queues[half->queue].first = half->next;
	half->next = NO_HALF;
	half->queued = false;
	half->partner = other;
	half_get(matcher, other)->partner = first;
}

/* Hands a message to who waits for it. Returns the receive or probe that got it last, or NO_HALF. */
uint32_t match_deliver(struct matcher *matcher, uint32_t sent, bool at_front);

/* Each returns the number of the half. `woken` is the receive or probe that waited for this message, or NO_HALF. */
static inline uint32_t match_send(struct matcher *matcher, uint32_t queue, const struct occurrence *by,
                                  uint32_t *woken)
{
	uint32_t number = half_new(matcher, queue, by, HALF_SEND);
	uint32_t first = matcher->queues[queue].first;

	*woken = NO_HALF;
	if (first == NO_HALF || half_get(matcher, first)->kind == HALF_SEND) {
		half_enqueue(matcher, number);
	} else if (half_get(matcher, first)->kind == HALF_RECEIVE) {
		half_pair_first(matcher, first, number);
		*woken = first;
	} else {
		*woken = match_deliver(matcher, number, false);
	}
	return number;
}

static inline uint32_t match_receive(struct matcher *matcher, uint32_t queue, const struct occurrence *by)
{
	uint32_t number = half_new(matcher, queue, by, HALF_RECEIVE);
	uint32_t first = matcher->queues[queue].first;

	if (first != NO_HALF && half_get(matcher, first)->kind == HALF_SEND)
		half_pair_first(matcher, first, number);
	else
		half_enqueue(matcher, number);
	return number;
}

/* Finds the message that a receive posted now would get, or waits for it like a receive. */
uint32_t match_probe(struct matcher *matcher, uint32_t queue, const struct occurrence *by);
/* The message that a probe found is taken out of the queue: the probe becomes a receive of it. False: another thread was
 * faster. */
bool match_take(struct matcher *matcher, uint32_t probe);

/* A receive is over, and the message that it got with it. */
static inline void match_finish(struct matcher *matcher, uint32_t receive)
{
	half_free(matcher, half_get(matcher, receive)->partner);
	half_free(matcher, receive);
}

/* A receive or a probe ends without a message: one that it was given goes to the next, which is returned, or
 * NO_HALF. */
uint32_t match_withdraw(struct matcher *matcher, uint32_t receive);
/* A message that nobody received is taken back. */
void match_take_back(struct matcher *matcher, uint32_t sent);

/* Messages that no receive was found for. */
uint64_t matcher_waiting_sends(const struct matcher *matcher);
void matcher_release(struct matcher *matcher);

#endif
