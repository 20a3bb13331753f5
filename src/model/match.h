/* Which receive gets which message, as MPI has it: of the messages from one rank to another with one tag on one
 * communicator, the first goes to the receive that was posted first.
 *
 *	uint32_t queue = queue_get(&matcher, &role->sends_to, where);
 *	uint32_t sent = match_send(&matcher, queue, &call);
 *	uint32_t posted = match_receive(&matcher, queue, &call);
 *	if (match_get(&matcher, posted)->state & MATCH_SENT)
 *		… the message is there …
 *
 * A message and its receive are the two sides of a match. The first of them begins it and waits in the queue of its
 * envelope until the other comes. Memory is that of the matches under way. */
#ifndef TARRY_MODEL_MATCH_H
#define TARRY_MODEL_MATCH_H

#include "model/pair_map.h"
#include "model/relations.h"

#define NO_MATCH UINT32_MAX
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

enum match_state {
	MATCH_SENT = 1,     /* `send` is known */
	MATCH_RECEIVED = 2, /* `post` is known, of a receive or of a probe that took the message … */
	MATCH_POSTED = 4,   /* … and it is a receive */
	MATCH_PROBE = 8,    /* no match: a probe that waits for a message, or has found one */
	MATCH_QUEUED = 16,
	MATCH_AWAITED = 32, /* the process of `post` does not go on without the message */
	/* Its own process has no more to do with it: when both are done, the match is over. */
	MATCH_SEND_DONE = 64,
	MATCH_RECEIVE_DONE = 128,
};

struct match {
	uint32_t state; /* 0: it is free, or only keeps a call */
	uint32_t queue;
	uint32_t next; /* in the queue */
	union {
		uint32_t completion; /* of the message: what cannot be told before its receive is posted
		                      * (model/telling.h) */
		uint32_t found;      /* of a probe: the message, which does not know of it */
	};
	/* The calls that sent the message and posted the receive; the role of a prepared one is that of the call that
	 * prepared it. */
	struct occurrence send, post;
};

/* What waits for the other side, of one envelope: all messages, or all receives and probes. */
struct queue {
	struct envelope where;
	uint32_t first, last; /* NO_MATCH: nothing waits */
	uint32_t generation;  /* changes when the envelope does */
	uint32_t next_free;   /* one above the number; 0: none */
	bool exists;
};

struct matcher {
	struct match *matches;
	uint32_t match_count, match_room, free;
	struct pair_map channels; /* envelope to queue */
	struct queue *queues;
	uint32_t queue_count, queue_room, free_queue;
	size_t plenty; /* queues: so many, and those go in which nothing waits */
	size_t idle;   /* of which so many may be there */
};

static inline struct match *match_get(const struct matcher *matcher, uint32_t number)
{
	return &matcher->matches[number];
}

static inline bool match_has(const struct matcher *matcher, uint32_t number, uint32_t state)
{
	return match_get(matcher, number)->state & state;
}

/* The queue of an envelope, which is always the same for this reference. Good until another one is asked for. */
uint32_t queue_look_up(struct matcher *matcher, struct queue_ref *ref, struct envelope where);

static inline bool queue_is_known(const struct matcher *matcher, const struct queue_ref *ref)
{
	return ref->generation && matcher->queues[ref->number].generation == ref->generation;
}

/* Room for one more. */
uint32_t match_grow(struct matcher *matcher);

/* Its sides are for the caller to fill. */
static inline uint32_t match_new(struct matcher *matcher, uint32_t queue, uint32_t state)
{
	/* Numbers of those that are over come first; `free` is one above the first of them, 0 if there is none. */
	uint32_t number = matcher->free ? matcher->free - 1 : match_grow(matcher);
	struct match *match = match_get(matcher, number);

	matcher->free = match->next;
	match->state = state;
	match->queue = queue;
	match->next = NO_MATCH;
	match->completion = NO_COMPLETION;
	return number;
}

static inline void match_free(struct matcher *matcher, uint32_t number)
{
	match_get(matcher, number)->state = 0;
	match_get(matcher, number)->next = matcher->free;
	matcher->free = number + 1;
}

static inline void match_enqueue(struct matcher *matcher, struct queue *queue, uint32_t number)
{
	match_get(matcher, number)->state |= MATCH_QUEUED;
	if (queue->first == NO_MATCH)
		queue->first = number;
	else
		match_get(matcher, queue->last)->next = number;
	queue->last = number;
}

/* The other side of the first of a queue has come, by a call that is for the caller to fill in. */
static inline void match_first(struct queue *queue, struct match *match, uint32_t side)
{
	queue->first = match->next;
	match->next = NO_MATCH;
	match->state = (match->state & ~(uint32_t)MATCH_QUEUED) | side;
}

/* The number of the match. It is queued, or has its receive; or neither, if probes wait for the message: then
 * match_deliver() has to follow. */
static inline uint32_t match_send(struct matcher *matcher, uint32_t number, const struct occurrence *by)
{
	struct queue *queue = &matcher->queues[number];
	uint32_t first = queue->first,
		 state = first == NO_MATCH ? MATCH_SENT : match_get(matcher, first)->state;

	if (!(state & (MATCH_SENT | MATCH_PROBE))) {
		match_first(queue, match_get(matcher, first), MATCH_SENT);
		match_get(matcher, first)->send = *by;
		return first;
	}
	first = match_new(matcher, number, MATCH_SENT);
	match_get(matcher, first)->send = *by;
	if (state & MATCH_SENT)
		match_enqueue(matcher, queue, first);
	return first;
}

static inline uint32_t match_receive(struct matcher *matcher, uint32_t number, const struct occurrence *by)
{
	struct queue *queue = &matcher->queues[number];
	uint32_t first = queue->first;

	if (first != NO_MATCH && match_has(matcher, first, MATCH_SENT)) {
		match_first(queue, match_get(matcher, first), MATCH_RECEIVED | MATCH_POSTED);
	} else {
		first = match_new(matcher, number, MATCH_RECEIVED | MATCH_POSTED);
		match_enqueue(matcher, queue, first);
	}
	match_get(matcher, first)->post = *by;
	return first;
}

/* Hands a message to who waits for it, or puts it into the queue. Returns the last that waited, or NO_MATCH. If that
 * is a receive, which the message's state tells, its number is free from now on: it has that of the message. */
uint32_t match_deliver(struct matcher *matcher, uint32_t sent, bool at_front);

/* Finds the message that a receive posted now would get, or waits for it like a receive. */
uint32_t match_probe(struct matcher *matcher, uint32_t queue, const struct occurrence *by);
/* The message that a probe found is taken out of the queue: the probe is over, and becomes a receive of it. NO_MATCH:
 * another thread was faster. */
uint32_t match_take(struct matcher *matcher, uint32_t probe);

/* A receive or a probe ends without a message. True: one that it was given is left, and has to be delivered at the front. */
bool match_withdraw(struct matcher *matcher, uint32_t receive);
/* A message that nobody received is taken back. */
void match_take_back(struct matcher *matcher, uint32_t sent);

/* Messages that no receive was found for. */
uint64_t matcher_waiting_sends(const struct matcher *matcher);
void matcher_release(struct matcher *matcher);

#endif
