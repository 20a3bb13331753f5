#include "model/match.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

static struct pair key_of(struct envelope where)
{
	return (struct pair){(uint64_t)where.channel << 32 | where.source,
	                     (uint64_t)where.dest << 32 | (uint32_t)where.tag};
}

uint32_t match_grow(struct matcher *matcher)
{
	if (matcher->match_count == matcher->match_room) {
		matcher->match_room = matcher->match_room ? matcher->match_room * 2 : FIRST_ROOM;
		matcher->matches = memory_grow(matcher->matches, matcher->match_room,
		                               sizeof *matcher->matches);
	}
	match_get(matcher, matcher->match_count)->next = 0;
	return matcher->match_count++;
}

/* A program may use each tag once: queues in which nothing waits must go, but not one by one. */
static void sweep(struct matcher *matcher)
{
	for (uint32_t i = 0; i < matcher->queue_count; i++) {
		struct queue *queue = &matcher->queues[i];
		if (!queue->exists || queue->first != NO_MATCH)
			continue;
		pair_map_remove(&matcher->channels, key_of(queue->where));
		queue->exists = false;
		queue->generation++;
		queue->next_free = matcher->free_queue;
		matcher->free_queue = i + 1;
	}
	matcher->plenty = 2 * matcher->channels.count + matcher->idle;
}

static uint32_t new_queue(struct matcher *matcher)
{
	uint32_t number = matcher->free_queue;

	if (number) {
		matcher->free_queue = matcher->queues[number - 1].next_free;
		return number - 1;
	}
	if (matcher->queue_count == matcher->queue_room) {
		matcher->queue_room = matcher->queue_room ? matcher->queue_room * 2 : FIRST_ROOM;
		matcher->queues = memory_grow(matcher->queues, matcher->queue_room, sizeof *matcher->queues);
	}
	matcher->queues[matcher->queue_count].generation = 1;
	return matcher->queue_count++;
}

static uint32_t find_queue(struct matcher *matcher, struct envelope where)
{
	const uint32_t *found = pair_map_find(&matcher->channels, key_of(where));
	uint32_t number;

	if (found)
		return *found;
	if (matcher->channels.count >= matcher->plenty)
		sweep(matcher);
	number = new_queue(matcher);
	*pair_map_put(&matcher->channels, key_of(where)) = number;
	matcher->queues[number] = (struct queue){.where = where,
	                                         .first = NO_MATCH,
	                                         .last = NO_MATCH,
	                                         .generation = matcher->queues[number].generation,
	                                         .exists = true};
	return number;
}

uint32_t queue_look_up(struct matcher *matcher, struct queue_ref *ref, struct envelope where)
{
	uint32_t number = find_queue(matcher, where);

	*ref = (struct queue_ref){number, matcher->queues[number].generation};
	return number;
}

static struct queue *queue_of(struct matcher *matcher, uint32_t number)
{
	return &matcher->queues[match_get(matcher, number)->queue];
}

static void dequeue(struct matcher *matcher, uint32_t number)
{
	struct queue *queue = queue_of(matcher, number);
	struct match *match = match_get(matcher, number);
	uint32_t before = NO_MATCH;

	for (uint32_t at = queue->first; at != number; at = match_get(matcher, at)->next)
		before = at;
	if (before == NO_MATCH)
		queue->first = match->next;
	else
		match_get(matcher, before)->next = match->next;
	if (queue->last == number)
		queue->last = before;
	match->next = NO_MATCH;
	match->state &= ~(uint32_t)MATCH_QUEUED;
}

static void enqueue_first(struct matcher *matcher, struct queue *queue, uint32_t number)
{
	match_get(matcher, number)->state |= MATCH_QUEUED;
	match_get(matcher, number)->next = queue->first;
	if (queue->first == NO_MATCH)
		queue->last = number;
	queue->first = number;
}

/* The receive goes on under the number of the message. */
static void unite(struct matcher *matcher, uint32_t sent, uint32_t receive)
{
	match_get(matcher, sent)->state |= match_get(matcher, receive)->state;
	match_get(matcher, sent)->post = match_get(matcher, receive)->post;
	match_free(matcher, receive);
}

/* A probe only looks at it, a receive takes it. */
uint32_t match_deliver(struct matcher *matcher, uint32_t sent, bool at_front)
{
	struct queue *queue = queue_of(matcher, sent);
	uint32_t woken = NO_MATCH;

	while (queue->first != NO_MATCH && !match_has(matcher, queue->first, MATCH_SENT)) {
		woken = queue->first;
		dequeue(matcher, woken);
		if (!match_has(matcher, woken, MATCH_PROBE)) {
			unite(matcher, sent, woken);
			return woken;
		}
		match_get(matcher, woken)->found = sent;
	}
	if (at_front)
		enqueue_first(matcher, queue, sent);
	else
		match_enqueue(matcher, queue, sent);
	return woken;
}

uint32_t match_probe(struct matcher *matcher, uint32_t number, const struct occurrence *by)
{
	struct queue *queue = &matcher->queues[number];
	uint32_t probe = match_new(matcher, number, MATCH_PROBE);

	match_get(matcher, probe)->post = *by;
	match_get(matcher, probe)->found = NO_MATCH;
	if (queue->first != NO_MATCH && match_has(matcher, queue->first, MATCH_SENT))
		match_get(matcher, probe)->found = queue->first;
	else
		match_enqueue(matcher, queue, probe);
	return probe;
}

uint32_t match_take(struct matcher *matcher, uint32_t probe)
{
	uint32_t sent = match_get(matcher, probe)->found;
	struct match *message = match_get(matcher, sent);

	if (!(message->state & MATCH_SENT) || !(message->state & MATCH_QUEUED) ||
	    message->queue != match_get(matcher, probe)->queue)
		return NO_MATCH;
	dequeue(matcher, sent);
	message->state |= MATCH_RECEIVED;
	message->post = match_get(matcher, probe)->post;
	match_free(matcher, probe);
	return sent;
}

bool match_withdraw(struct matcher *matcher, uint32_t number)
{
	struct match *match = match_get(matcher, number);

	if (match->state & MATCH_QUEUED)
		dequeue(matcher, number);
	if (!(match->state & MATCH_SENT)) {
		match_free(matcher, number);
		return false;
	}
	match->state &= MATCH_SENT | MATCH_SEND_DONE;
	/* In the meantime its queue may have become another's. */
	match->queue = find_queue(matcher, sent_envelope(match->send.role));
	return true;
}

void match_take_back(struct matcher *matcher, uint32_t sent)
{
	dequeue(matcher, sent);
	match_free(matcher, sent);
}

uint64_t matcher_waiting_sends(const struct matcher *matcher)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < matcher->match_count; i++)
		count += match_has(matcher, i, MATCH_SENT) && match_has(matcher, i, MATCH_QUEUED);
	return count;
}

void matcher_release(struct matcher *matcher)
{
	free(matcher->matches);
	free(matcher->queues);
	pair_map_release(&matcher->channels);
	*matcher = (struct matcher){0};
}
