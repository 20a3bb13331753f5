/* Which receive gets which message, as MPI has it: of the messages from one rank to another with one tag on one
 * communicator, the first goes to the receive that was posted first.
 *
 *	struct envelope_queue *queue = queue_get(&matcher, where);
 *	struct match *sent = match_send(&matcher, queue, &call);
 *	struct match *posted = match_receive(&matcher, queue, &call);
 *	if (posted->state & MATCH_SENT)
 *		… the message is there …
 *
 * Messages and receives that were not recorded take their places, too, as many as there are in one entry of the queue: what meets one of them is
 * matched with nothing, and all others are with what they should be.
 *
 * A message and its receive are the two sides of a match. The first of them begins it and waits in the queue of its
 * envelope until the other comes. Memory is that of the matches under way, and of the envelopes: they are those of distinct
 * calls. */
#ifndef TARRY_ANALYSIS_MODEL_MATCH_H
#define TARRY_ANALYSIS_MODEL_MATCH_H

#include "analysis/model/call_semantics.h"
#include "analysis/model/session_peers.h"
#include "analysis/relations/rows.h"
#include "base/arena.h"
#include "base/map.h"

#define NO_COMPLETION UINT32_MAX

/* Messages without a receive when another one was received that was sent after them, from the same to the same process on one
 * communicator. Both are at most UINT32_MAX. */
struct earlier_messages {
	uint32_t count, bytes;
};

/* An envelope; of an intercommunicator, `channel` tells the direction too. */
struct envelope {
	uint32_t channel;
	uint32_t source, dest;
	int32_t tag;
};

/* The side of the sender tells the two directions of an intercommunicator apart. */
static inline struct envelope sent_envelope(const struct call_semantics *semantics)
{
	return (struct envelope){.channel = semantics->kind->own_comm * 2 + semantics->kind->own_side,
	                         .source = semantics->own_rank,
	                         .dest = (uint32_t)semantics->dest,
	                         .tag = semantics->kind->tag};
}

enum match_state {
	MATCH_SENT = 1,     /* `send` is known; of a probe: it has found a message */
	MATCH_RECEIVED = 2, /* `post` is known, of a receive or of a probe that took the message … */
	MATCH_POSTED = 4,   /* … and it is a receive */
	MATCH_PROBE = 8,    /* no match: a probe that waits for a message, or has found one */
	MATCH_QUEUED = 16,
	MATCH_AWAITED = 32, /* the process of `post` does not go on without the message */
	/* Its own process has no more to do with it: when both are done, the match is over. */
	MATCH_SEND_DONE = 64,
	MATCH_RECEIVE_DONE = 128,
	/* Of a queue: an entry for messages (MATCH_SENT) or receives (MATCH_PROBE) that were not recorded, `skipped` of them. Of anything
	 * else: its other side was not recorded. */
	MATCH_SKIPPED = 256,
};

struct match {
	uint32_t state; /* 0: it is free, or only keeps a call */
	uint32_t
		completion; /* of the message: a completion that waits for its receive to be posted (model/completions.h) */
	struct envelope_queue *queue;
	union {
		struct match *next;  /* in the queue, or of those that are free */
		struct match *found; /* by a probe; does not know of it */
	};
	union {
		/* The calls that sent the message and posted the receive; the semantics of a prepared one is that of the call that
		 * prepared it. */
		struct {
			struct occurrence send, post;
		};
		uint64_t skipped;
	};
};

/* What waits for the other side, of one envelope: all messages, or all receives and probes. */
struct envelope_queue {
	struct match *first, *last; /* NULL: nothing waits */
	struct envelope_queue
		*next_tag; /* from the same to the same, in a ring: itself if there is no other */
	uint32_t source;   /* of its envelope */
};

struct matcher {
	struct arena arena;
	struct match *free;
	struct map channels;            /* envelope to queue */
	struct map rings;               /* envelope without its tag to its first queue */
	struct envelope_queue **queues; /* blocks of QUEUES_AT_ONCE */
	uint32_t queue_count;
};

enum { QUEUES_AT_ONCE = 1024 };

static inline struct envelope_queue *queue_at(const struct matcher *matcher, uint32_t number)
{
	return &matcher->queues[number / QUEUES_AT_ONCE][number % QUEUES_AT_ONCE];
}

/* Always the same one for an envelope. */
uint32_t queue_number(struct matcher *matcher, struct envelope where);

static inline struct envelope_queue *queue_get(struct matcher *matcher, struct envelope where)
{
	return queue_at(matcher, queue_number(matcher, where));
}

/* Its sides are for the caller to fill. */
static inline struct match *match_new(struct matcher *matcher, struct envelope_queue *queue, uint32_t state)
{
	struct match *match = matcher->free ? matcher->free : arena_new(&matcher->arena, struct match);

	matcher->free = match->next;
	match->state = state;
	match->completion = NO_COMPLETION;
	match->queue = queue;
	match->next = NULL;
	return match;
}

static inline void match_free(struct matcher *matcher, struct match *match)
{
	match->state = 0;
	match->next = matcher->free;
	matcher->free = match;
}

static inline void match_enqueue(struct envelope_queue *queue, struct match *match)
{
	match->state |= MATCH_QUEUED;
	if (queue->first)
		queue->last->next = match;
	else
		queue->first = match;
	queue->last = match;
}

/* The other side of the first of a queue has come, by a call that is for the caller to fill in. */
static inline struct match *match_first(struct envelope_queue *queue, uint32_t side)
{
	struct match *match = queue->first;

	queue->first = match->next;
	match->next = NULL;
	match->state = (match->state & ~(uint32_t)MATCH_QUEUED) | side;
	return match;
}

/* The match is queued, or has its receive; or neither, if probes wait for the message: then match_deliver() has to
 * follow. */
static inline struct match *match_send(struct matcher *matcher, struct envelope_queue *queue,
                                       const struct occurrence *by)
{
	uint32_t waiting = queue->first ? queue->first->state : MATCH_SENT;
	struct match *match;

	if (!(waiting & (MATCH_SENT | MATCH_PROBE))) {
		match = match_first(queue, MATCH_SENT);
	} else {
		match = match_new(matcher, queue, MATCH_SENT);
		if (waiting & MATCH_SENT)
			match_enqueue(queue, match);
	}
	match->send = *by;
	return match;
}

/* A receive of a message that was not recorded, which stands first in the queue: it has no other side. */
struct match *match_receive_skipped(struct matcher *matcher, struct envelope_queue *queue,
                                    const struct occurrence *by);

static inline struct match *match_receive(struct matcher *matcher, struct envelope_queue *queue,
                                          const struct occurrence *by)
{
	struct match *match;

	if (queue->first && queue->first->state & MATCH_SENT) {
		if (__builtin_expect(queue->first->state & MATCH_SKIPPED, 0))
			return match_receive_skipped(matcher, queue, by);
		match = match_first(queue, MATCH_RECEIVED | MATCH_POSTED);
	} else {
		match = match_new(matcher, queue, MATCH_RECEIVED | MATCH_POSTED);
		match_enqueue(queue, match);
	}
	match->post = *by;
	return match;
}

/* The message of a receive or a probe; NULL: none has come. */
static inline struct match *match_message(struct match *match)
{
	if (!(match->state & MATCH_SENT))
		return NULL;
	return match->state & MATCH_PROBE ? match->found : match;
}

/* Hands a message to who waits for it, or puts it into the queue. Returns the last that waited, or NULL. If that is
 * a receive, which the message's state tells, it is free from now on: it goes on as that of the message. A receive that was not recorded
 * makes the message MATCH_RECEIVED and MATCH_SKIPPED. */
struct match *match_deliver(struct matcher *matcher, struct match *sent, bool at_front);

/* Finds the message that a receive posted now would get, or waits for it like a receive. */
struct match *match_probe(struct matcher *matcher, struct envelope_queue *queue, const struct occurrence *by);
/* The message that a probe found is taken out of the queue: the probe is over, and becomes a receive of it. NULL: another
 * thread was faster. */
struct match *match_take(struct matcher *matcher, struct match *probe);

/* A receive or a probe ends without a message. True: one that it was given is left, and has to be delivered at the
 * front. */
bool match_withdraw(struct matcher *matcher, struct match *receive);
/* Of a message that is being received, with up to 64 other tags. */
struct earlier_messages find_earlier(const struct match *match);

static inline struct earlier_messages match_earlier(const struct match *match)
{
	return match->queue->next_tag == match->queue ? (struct earlier_messages){0} : find_earlier(match);
}

/* A message that nobody received is taken back. */
void match_take_back(struct matcher *matcher, struct match *sent);

/* Messages or receives that were not recorded: those that wait for them, one after the other (NULL: no more), each without its other side
 * from now on. `count` goes down with each; what is left at the end takes its place in the queue. */
struct match *match_skip_sends(struct matcher *matcher, struct envelope_queue *queue, uint64_t *count);
struct match *match_skip_receives(struct matcher *matcher, struct envelope_queue *queue, uint64_t *count);

/* Messages of these processes that no receive was found for. */
uint64_t matcher_waiting_sends(const struct matcher *matcher, struct rank_range senders);
void matcher_release(struct matcher *matcher);

#endif
