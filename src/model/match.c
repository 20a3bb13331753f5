#include "model/match.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

static struct pair key_of(struct envelope where)
{
	return (struct pair){(uint64_t)where.channel << 32 | where.source,
	                     (uint64_t)where.dest << 32 | (uint32_t)where.tag};
}

uint32_t half_grow(struct matcher *matcher)
{
	if (matcher->half_count == matcher->half_room) {
		matcher->half_room = matcher->half_room ? matcher->half_room * 2 : FIRST_ROOM;
		matcher->halves = memory_grow(matcher->halves, matcher->half_room, sizeof *matcher->halves);
	}
	half_get(matcher, matcher->half_count)->next = 0;
	return matcher->half_count++;
}

/* A program may use each tag once: queues in which nothing waits must go, but not one by one. */
static void sweep(struct matcher *matcher)
{
	for (uint32_t i = 0; i < matcher->queue_count; i++) {
		struct queue *queue = &matcher->queues[i];
		if (!queue->exists || queue->first != NO_HALF)
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
	                                         .first = NO_HALF,
	                                         .last = NO_HALF,
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

static void dequeue(struct matcher *matcher, struct queue *queue, uint32_t number)
{
	struct half *half = half_get(matcher, number);
	uint32_t before = NO_HALF;

	for (uint32_t at = queue->first; at != number; at = half_get(matcher, at)->next)
		before = at;
	if (before == NO_HALF)
		queue->first = half->next;
	else
		half_get(matcher, before)->next = half->next;
	if (queue->last == number)
		queue->last = before;
	half->next = NO_HALF;
	half->queued = false;
}

static void pair_up(struct matcher *matcher, uint32_t sent, uint32_t receive)
{
	half_get(matcher, sent)->partner = receive;
	half_get(matcher, receive)->partner = sent;
}

static bool has_kind(const struct matcher *matcher, const struct queue *queue, bool sends)
{
	return queue->first != NO_HALF && (half_get(matcher, queue->first)->kind == HALF_SEND) == sends;
}

static struct queue *queue_of(struct matcher *matcher, uint32_t half)
{
	return &matcher->queues[half_get(matcher, half)->queue];
}

static void enqueue_first(struct matcher *matcher, uint32_t number)
{
	struct half *half = half_get(matcher, number);
	struct queue *queue = queue_of(matcher, number);

	half->queued = true;
	half->next = queue->first;
	if (queue->first == NO_HALF)
		queue->last = number;
	queue->first = number;
}

/* A probe only looks at it, a receive takes it. */
uint32_t match_deliver(struct matcher *matcher, uint32_t sent, bool at_front)
{
	struct queue *queue = queue_of(matcher, sent);
	uint32_t woken = NO_HALF;

	while (has_kind(matcher, queue, false)) {
		woken = queue->first;
		dequeue(matcher, queue, woken);
		if (half_get(matcher, woken)->kind == HALF_RECEIVE) {
			pair_up(matcher, sent, woken);
			return woken;
		}
		half_get(matcher, woken)->partner = sent;
	}
	if (at_front)
		enqueue_first(matcher, sent);
	else
		half_enqueue(matcher, sent);
	return woken;
}

uint32_t match_probe(struct matcher *matcher, uint32_t queue, const struct occurrence *by)
{
	uint32_t number = half_new(matcher, queue, by, HALF_PROBE);

	if (has_kind(matcher, &matcher->queues[queue], true))
		half_get(matcher, number)->partner = matcher->queues[queue].first;
	else
		half_enqueue(matcher, number);
	return number;
}

bool match_take(struct matcher *matcher, uint32_t probe)
{
	uint32_t sent = half_get(matcher, probe)->partner;
	const struct half *message = half_get(matcher, sent);

	if (message->kind != HALF_SEND || !message->queued ||
	    message->queue != half_get(matcher, probe)->queue)
		return false;
	dequeue(matcher, queue_of(matcher, sent), sent);
	half_get(matcher, probe)->kind = HALF_RECEIVE;
	pair_up(matcher, sent, probe);
	return true;
}

uint32_t match_withdraw(struct matcher *matcher, uint32_t receive)
{
	struct half *half = half_get(matcher, receive);
	uint32_t sent = half->partner, woken = NO_HALF;

	if (half->queued) {
		dequeue(matcher, queue_of(matcher, receive), receive);
	} else if (half->kind == HALF_RECEIVE && sent != NO_HALF) {
		half_get(matcher, sent)->partner = NO_HALF;
		half_get(matcher, sent)->queue = find_queue(matcher,
		                                            sent_envelope(half_get(matcher, sent)->by.role));
		woken = match_deliver(matcher, sent, true);
	}
	half_free(matcher, receive);
	return woken;
}

void match_take_back(struct matcher *matcher, uint32_t sent)
{
	dequeue(matcher, queue_of(matcher, sent), sent);
	half_free(matcher, sent);
}

uint64_t matcher_waiting_sends(const struct matcher *matcher)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < matcher->half_count; i++)
		count += matcher->halves[i].kind == HALF_SEND && matcher->halves[i].queued;
	return count;
}

void matcher_release(struct matcher *matcher)
{
	free(matcher->halves);
	free(matcher->queues);
	pair_map_release(&matcher->channels);
	*matcher = (struct matcher){0};
}
