#include "model/match.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64, IDLE_QUEUES = 4096 };

static struct pair key_of(struct envelope where)
{
	return (struct pair){(uint64_t)where.channel << 32 | where.source,
	                     (uint64_t)where.dest << 32 | (uint32_t)where.tag};
}

static uint32_t new_half(struct matcher *matcher, uint32_t queue, const struct occurrence *by,
                         enum half_kind kind)
{
	uint32_t number = matcher->free;

	if (matcher->half_count == matcher->half_room) {
		matcher->half_room = matcher->half_room ? matcher->half_room * 2 : FIRST_ROOM;
		matcher->halves = memory_grow(matcher->halves, matcher->half_room, sizeof *matcher->halves);
	}
	/* Numbers of ended halves come first; `free` is one above the first of them, 0 if there is none. */
	if (number) {
		number--;
		matcher->free = matcher->halves[number].next;
	} else {
		number = matcher->half_count++;
	}
	matcher->halves[number] = (struct half){.by = *by,
	                                        .queue = queue,
	                                        .partner = NO_HALF,
	                                        .next = NO_HALF,
	                                        .completion = NO_COMPLETION,
	                                        .kind = kind,
	                                        .is_posted = kind == HALF_RECEIVE};
	return number;
}

static void free_half(struct matcher *matcher, uint32_t number)
{
	matcher->halves[number].kind = HALF_FREE;
	matcher->halves[number].next = matcher->free;
	matcher->free = number + 1;
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
	if (matcher->channels.count > 2 * matcher->busy_queues + IDLE_QUEUES)
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

static void count_waiting(struct matcher *matcher, const struct half *half, int change)
{
	if (half->kind == HALF_SEND)
		matcher->waiting_sends += (uint64_t)(int64_t)change;
}

static void enqueue(struct matcher *matcher, struct queue *queue, uint32_t number, bool at_front)
{
	struct half *half = half_get(matcher, number);

	half->queued = true;
	count_waiting(matcher, half, 1);
	if (queue->first == NO_HALF) {
		queue->first = queue->last = number;
		matcher->busy_queues++;
	} else if (at_front) {
		half->next = queue->first;
		queue->first = number;
	} else {
		half_get(matcher, queue->last)->next = number;
		queue->last = number;
	}
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
	count_waiting(matcher, half, -1);
	matcher->busy_queues -= queue->first == NO_HALF;
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

/* Hands a message to who waits for it: a probe only looks at it, a receive takes it. */
static uint32_t deliver(struct matcher *matcher, uint32_t sent, bool at_front)
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
	enqueue(matcher, queue, sent, at_front);
	return woken;
}

uint32_t match_send(struct matcher *matcher, uint32_t queue, const struct occurrence *by, uint32_t *woken)
{
	uint32_t number = new_half(matcher, queue, by, HALF_SEND);

	*woken = deliver(matcher, number, false);
	return number;
}

uint32_t match_receive(struct matcher *matcher, uint32_t queue, const struct occurrence *by)
{
	uint32_t number = new_half(matcher, queue, by, HALF_RECEIVE);
	uint32_t sent = matcher->queues[queue].first;

	if (has_kind(matcher, &matcher->queues[queue], true)) {
		dequeue(matcher, &matcher->queues[queue], sent);
		pair_up(matcher, sent, number);
	} else {
		enqueue(matcher, &matcher->queues[queue], number, false);
	}
	return number;
}

uint32_t match_probe(struct matcher *matcher, uint32_t queue, const struct occurrence *by)
{
	uint32_t number = new_half(matcher, queue, by, HALF_PROBE);

	if (has_kind(matcher, &matcher->queues[queue], true))
		half_get(matcher, number)->partner = matcher->queues[queue].first;
	else
		enqueue(matcher, &matcher->queues[queue], number, false);
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

void match_finish(struct matcher *matcher, uint32_t receive)
{
	free_half(matcher, half_get(matcher, receive)->partner);
	free_half(matcher, receive);
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
		woken = deliver(matcher, sent, true);
	}
	free_half(matcher, receive);
	return woken;
}

void match_take_back(struct matcher *matcher, uint32_t sent)
{
	dequeue(matcher, queue_of(matcher, sent), sent);
	free_half(matcher, sent);
}

void matcher_release(struct matcher *matcher)
{
	free(matcher->halves);
	free(matcher->queues);
	pair_map_release(&matcher->channels);
	*matcher = (struct matcher){0};
}
