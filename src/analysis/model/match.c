#include "analysis/model/match.h"

#include "base/memory.h"

#include <stdlib.h>

/* A program may use each tag once. */
enum { TAGS_LOOKED_AT = 64 };

uint32_t queue_number(struct matcher *matcher, struct envelope where)
{
	uint64_t from = (uint64_t)where.channel << 32 | where.source;
	struct map_key key = map_key(from, (uint64_t)where.dest << 32 | (uint32_t)where.tag);
	uint32_t *number = map_put(&matcher->channels, key), *first, block;
	struct envelope_queue *queue;

	if (*number != UINT32_MAX)
		return *number;
	*number = matcher->queue_count++;
	block = *number / QUEUES_AT_ONCE;
	if (*number % QUEUES_AT_ONCE == 0) {
		matcher->queues = memory_grow(matcher->queues, block + 1u, sizeof *matcher->queues);
		matcher->queues[block] = memory_new(QUEUES_AT_ONCE, sizeof **matcher->queues);
	}
	queue = queue_at(matcher, *number);
	queue->source = where.source;
	queue->next_tag = queue;
	first = map_put(&matcher->rings, map_key(from, where.dest));
	if (*first == UINT32_MAX) {
		*first = *number;
	} else {
		queue->next_tag = queue_at(matcher, *first)->next_tag;
		queue_at(matcher, *first)->next_tag = queue;
	}
	return *number;
}

static void dequeue(struct match *match)
{
	struct envelope_queue *queue = match->queue;
	struct match *before = NULL;

	for (struct match *at = queue->first; at != match; at = at->next)
		before = at;
	if (before)
		before->next = match->next;
	else
		queue->first = match->next;
	if (queue->last == match)
		queue->last = before;
	match->next = NULL;
	match->state &= ~(uint32_t)MATCH_QUEUED;
}

/* One of the unrecorded calls at the front of a queue is complete. */
static void take_skipped(struct matcher *matcher, struct envelope_queue *queue)
{
	struct match *entry = queue->first;

	if (--entry->skipped)
		return;
	dequeue(entry);
	match_free(matcher, entry);
}

static bool starts_with_message(const struct envelope_queue *queue)
{
	return queue->first && queue->first->state & MATCH_SENT;
}

static void find(struct match *probe, struct match *message)
{
	probe->state |= MATCH_SENT;
	probe->found = message;
}

/* A probe only sees it, a receive takes it. */
struct match *match_deliver(struct matcher *matcher, struct match *sent, bool at_front)
{
	struct envelope_queue *queue = sent->queue;
	struct match *woken = NULL;

	while (queue->first && !starts_with_message(queue)) {
		if (queue->first->state & MATCH_SKIPPED) {
			take_skipped(matcher, queue);
			sent->state |= MATCH_RECEIVED | MATCH_SKIPPED;
			return woken;
		}
		woken = match_first(queue, 0);
		if (!(woken->state & MATCH_PROBE)) {
			/* The receive is merged into the match of the message. */
			sent->state |= woken->state;
			sent->post = woken->post;
			match_free(matcher, woken);
			return woken;
		}
		find(woken, sent);
	}
	if (at_front) {
		sent->state |= MATCH_QUEUED;
		sent->next = queue->first;
		if (!queue->first)
			queue->last = sent;
		queue->first = sent;
	} else
		match_enqueue(queue, sent);
	return woken;
}

struct match *match_probe(struct matcher *matcher, struct envelope_queue *queue, const struct occurrence *by)
{
	struct match *probe = match_new(matcher, queue, MATCH_PROBE);

	probe->post = *by;
	if (starts_with_message(queue) && queue->first->state & MATCH_SKIPPED)
		probe->state |= MATCH_SKIPPED;
	else if (starts_with_message(queue))
		find(probe, queue->first);
	else
		match_enqueue(queue, probe);
	return probe;
}

struct match *match_take(struct matcher *matcher, struct match *probe)
{
	const uint32_t there = MATCH_SENT | MATCH_QUEUED;
	struct match *message = probe->found;

	if ((message->state & there) != there || message->queue != probe->queue)
		return NULL;
	dequeue(message);
	message->state |= MATCH_RECEIVED;
	message->post = probe->post;
	match_free(matcher, probe);
	return message;
}

bool match_withdraw(struct matcher *matcher, struct match *match)
{
	if (match->state & MATCH_QUEUED)
		dequeue(match);
	if (match->state & MATCH_PROBE || !(match->state & MATCH_SENT)) {
		match_free(matcher, match);
		return false;
	}
	match->state &= MATCH_SENT | MATCH_SEND_DONE;
	return true;
}

struct earlier_messages find_earlier(const struct match *match)
{
	struct earlier_messages earlier = {0};
	const struct envelope_queue *queue = match->queue->next_tag;

	for (int i = 0; i < TAGS_LOOKED_AT && queue != match->queue; i++, queue = queue->next_tag)
		for (const struct match *at = queue->first; at && at->state & MATCH_SENT; at = at->next) {
			int64_t bytes = 0, room = UINT32_MAX - earlier.bytes;
			if (at->state & MATCH_SKIPPED)
				continue;
			if (at->send.start >= match->send.start)
				break;
			call_field(at->send.semantics->call, FIELD_SENT, &bytes);
			earlier.count += earlier.count < UINT32_MAX;
			earlier.bytes += (uint32_t)(bytes < room ? bytes : room);
		}
	return earlier;
}

struct match *match_receive_skipped(struct matcher *matcher, struct envelope_queue *queue,
                                    const struct occurrence *by)
{
	struct match *match = match_new(matcher, queue, MATCH_RECEIVED | MATCH_POSTED | MATCH_SKIPPED);

	match->post = *by;
	take_skipped(matcher, queue);
	return match;
}

/* Unrecorded calls of one side, `side` as in their entries: settles them with unrecorded calls of the other
 * side, up to a match that remains without its other side. */
static struct match *skip(struct matcher *matcher, struct envelope_queue *queue, uint32_t side,
                          uint64_t *count)
{
	uint32_t state = side | MATCH_SKIPPED;
	struct match *last;

	while (*count && queue->first && (queue->first->state & MATCH_SENT) != (side & MATCH_SENT)) {
		struct match *entry = queue->first;
		uint64_t both;

		if (!(entry->state & MATCH_SKIPPED)) {
			*count -= !(entry->state & MATCH_PROBE);
			return match_first(queue, MATCH_SKIPPED);
		}
		both = entry->skipped < *count ? entry->skipped : *count;
		*count -= both;
		entry->skipped -= both - 1;
		take_skipped(matcher, queue);
	}
	last = queue->last;
	if (*count &&
	    (!queue->first || (last->state & (MATCH_SENT | MATCH_PROBE | MATCH_SKIPPED)) != state)) {
		last = match_new(matcher, queue, state);
		last->skipped = 0;
		match_enqueue(queue, last);
	}
	if (*count)
		last->skipped = *count < UINT64_MAX - last->skipped ? last->skipped + *count : UINT64_MAX;
	*count = 0;
	return NULL;
}

struct match *match_skip_sends(struct matcher *matcher, struct envelope_queue *queue, uint64_t *count)
{
	return skip(matcher, queue, MATCH_SENT, count);
}

struct match *match_skip_receives(struct matcher *matcher, struct envelope_queue *queue, uint64_t *count)
{
	return skip(matcher, queue, MATCH_PROBE, count);
}

void match_take_back(struct matcher *matcher, struct match *sent)
{
	dequeue(sent);
	match_free(matcher, sent);
}

uint64_t matcher_waiting_sends(const struct matcher *matcher, struct rank_range senders)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < matcher->queue_count; i++)
		for (const struct match *at = queue_at(matcher, i)->first; at && at->state & MATCH_SENT;
		     at = at->next)
			count += !(at->state & MATCH_SKIPPED) &&
			         at->send.semantics->process >= senders.first &&
			         at->send.semantics->process < senders.end;
	return count;
}

void matcher_release(struct matcher *matcher)
{
	arena_release(&matcher->arena);
	for (uint32_t i = 0; i < matcher->queue_count; i += QUEUES_AT_ONCE)
		free(queue_at(matcher, i));
	free(matcher->queues);
	map_release(&matcher->channels);
	map_release(&matcher->rings);
	*matcher = (struct matcher){0};
}
