/* Message matching by the rules of MPI: of the messages from one rank to another with one tag on one
 * communicator, the first matches the receive that was posted first.
 *
 *	struct envelope_queue *queue = queue_get(&matcher, where);
 *	struct match *sent = match_send(&matcher, queue, &call);
 *	struct match *posted = match_receive(&matcher, queue, &call);
 *	if (posted->state & MATCH_SENT)
 *		… the message is there …
 *
 * Unrecorded messages and receives occupy their places, too, several in one entry of the queue. Their
 * partners stay unmatched, and all others are matched correctly.
 *
 * A message and its receive are the two sides of a match. The first of them creates it and waits in
 * the queue of its envelope for the other. Memory is needed for pending matches, and for the
 * envelopes of distinct calls. */
#ifndef TARRY_ANALYSIS_MODEL_MATCH_H
#define TARRY_ANALYSIS_MODEL_MATCH_H

#include "analysis/model/call_semantics.h"
#include "analysis/model/session_peers.h"
#include "analysis/relations/rows.h"
#include "base/arena.h"
#include "base/map.h"

#define NO_COMPLETION UINT32_MAX

/* Messages without a receive when a message sent later was received, between the same processes on one
 * communicator. Both are at most UINT32_MAX. */
struct earlier_messages {
	uint32_t count, bytes;
};

/* An envelope; for an intercommunicator, `channel` includes the direction. */
struct envelope {
	uint32_t channel;
	uint32_t source, dest;
	int32_t tag;
};

/* The side of the sender distinguishes the two directions of an intercommunicator. */
static inline struct envelope sent_envelope(const struct call_semantics *semantics)
{
	return (struct envelope){.channel = semantics->kind->own_comm * 2 + semantics->kind->own_side,
	                         .source = semantics->own_rank,
	                         .dest = (uint32_t)semantics->dest,
	                         .tag = semantics->kind->tag};
}

enum match_state {
	MATCH_SENT = 1,     /* `send` is known; for a probe: it has found a message */
	MATCH_RECEIVED = 2, /* `post` is known, of a receive or of a probe that took the message … */
	MATCH_POSTED = 4,   /* … and it is a receive */
	MATCH_PROBE = 8,    /* not a match: a probe that waits for a message, or has found one */
	MATCH_QUEUED = 16,
	MATCH_AWAITED = 32, /* the process of `post` waits for the message */
	/* Its own process no longer needs it: when both are done, the match is over. */
	MATCH_SEND_DONE = 64,
	MATCH_RECEIVE_DONE = 128,
	/* In a queue: an entry for `skipped` unrecorded messages (MATCH_SENT) or receives (MATCH_PROBE).
	 * Otherwise: the other side was not recorded. */
	MATCH_SKIPPED = 256,
};

struct match {
	uint32_t state;      /* 0: free, or only keeps a call */
	uint32_t completion; /* of the message: completion that waits for its receive (model/completions.h) */
	struct envelope_queue *queue;
	union {
		struct match *next;  /* in the queue, or in the list of free ones */
		struct match *found; /* by a probe, without the message's knowledge */
	};
	union {
		/* The calls that sent the message and posted the receive; a prepared one has the semantics of
		 * the call that prepared it. */
		struct {
			struct occurrence send, post;
		};
		uint64_t skipped;
	};
};

/* One side of an envelope that waits for the other: all messages, or all receives and probes. */
struct envelope_queue {
	struct match *first, *last; /* NULL: empty */
	struct envelope_queue
		*next_tag; /* same processes and communicator, in a ring: itself if there is no other */
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

/* Always the same for an envelope. */
uint32_t queue_number(struct matcher *matcher, struct envelope where);

static inline struct envelope_queue *queue_get(struct matcher *matcher, struct envelope where)
{
	return queue_at(matcher, queue_number(matcher, where));
}

/* The caller fills in its sides. */
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

/* The other side of the first entry of a queue has arrived, by a call that the caller fills in. */
static inline struct match *match_first(struct envelope_queue *queue, uint32_t side)
{
	struct match *match = queue->first;

	queue->first = match->next;
	match->next = NULL;
	match->state = (match->state & ~(uint32_t)MATCH_QUEUED) | side;
	return match;
}

/* The match is queued, or has its receive. If probes wait for the message, it is neither: then
 * match_deliver() must follow. */
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

/* A receive of an unrecorded message at the front of the queue: it has no other side. */
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

/* The message of a receive or a probe; NULL: none yet. */
static inline struct match *match_message(struct match *match)
{
	if (!(match->state & MATCH_SENT))
		return NULL;
	return match->state & MATCH_PROBE ? match->found : match;
}

/* Passes a message to its waiting receive or probes, or queues it. Returns the last one that waited, or NULL.
 * If that is a receive, as shown by the message's state, it is freed: it is merged into the message's match.
 * An unrecorded receive makes the message MATCH_RECEIVED and MATCH_SKIPPED. */
struct match *match_deliver(struct matcher *matcher, struct match *sent, bool at_front);

/* Finds the message that a receive posted now would get, or waits for it like a receive. */
struct match *match_probe(struct matcher *matcher, struct envelope_queue *queue, const struct occurrence *by);
/* Removes the message that a probe found from the queue: the probe is over, and becomes its receive. NULL:
 * another thread was faster. */
struct match *match_take(struct matcher *matcher, struct match *probe);

/* A receive or a probe ends without a message. True: its message must be delivered again, at the front. */
bool match_withdraw(struct matcher *matcher, struct match *receive);
/* For a message that is being received, with up to 64 other tags. */
struct earlier_messages find_earlier(const struct match *match);

static inline struct earlier_messages match_earlier(const struct match *match)
{
	return match->queue->next_tag == match->queue ? (struct earlier_messages){0} : find_earlier(match);
}

/* A message that was not received is withdrawn. */
void match_take_back(struct matcher *matcher, struct match *sent);

/* Unrecorded messages or receives: returns waiting partners one after the other (NULL: no more), each without
 * its other side from now on. Each decreases `count`; the rest at the end is queued. */
struct match *match_skip_sends(struct matcher *matcher, struct envelope_queue *queue, uint64_t *count);
struct match *match_skip_receives(struct matcher *matcher, struct envelope_queue *queue, uint64_t *count);

/* The number of messages of these processes without a receive. */
uint64_t matcher_waiting_sends(const struct matcher *matcher, struct rank_range senders);
void matcher_release(struct matcher *matcher);

#endif
