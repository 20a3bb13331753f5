#include "analysis/model/needed_calls.h"

#include "analysis/model/call_semantics.h"
#include "analysis/model/eager.h"
#include "analysis/model/spans.h"

#include <stdlib.h>

static void begin(struct need_reader *reader)
{
	reader->needed.count = reader->waits.count = 0;
}

static void need_until(struct need_reader *reader, const struct occurrence *call, int64_t moment,
                       int64_t until)
{
	if (has_time(call))
		array_add(&reader->needed,
		          (struct needed_call){.call = call, .moment = moment, .until = until});
}

static void need(struct need_reader *reader, const struct occurrence *call, int64_t moment)
{
	need_until(reader, call, moment, INT64_MAX);
}

static void wait_since(struct need_reader *reader, const struct occurrence *call, int64_t since)
{
	if (has_time(call))
		array_add(&reader->waits, (struct waiting_call){.call = call, .since = since, .met = since});
}

/* All waiting calls need all of the others. */
static void end(struct need_reader *reader, enum need_kind kind, uint64_t instance)
{
	struct call_need need = {.kind = kind,
	                         .needed = reader->needed.items,
	                         .waits = reader->waits.items,
	                         .needed_count = (uint32_t)reader->needed.count,
	                         .wait_count = (uint32_t)reader->waits.count,
	                         .instance = instance};

	for (uint32_t i = 0; i < need.wait_count; i++)
		if (!reader->waits.items[i].needed)
			reader->waits.items[i].needed = need.needed_count;
	if (need.needed_count && need.wait_count)
		reader->add(reader->context, &need);
}

/* The library decides which of its calls waits: the first one that did not end before. */
static void wait_in_one_of(struct need_reader *reader, const struct occurrence *const *calls, uint32_t count,
                           int64_t moment)
{
	for (uint32_t i = 0; i < count; i++) {
		if (calls[i]->end < moment)
			continue;
		wait_since(reader, calls[i], calls[i]->start);
		return;
	}
}

/* One of its calls waits for this one alone. */
static void read_pair(struct need_reader *reader, const struct occurrence *needed, int64_t moment,
                      const struct occurrence *const *calls, uint32_t count)
{
	begin(reader);
	need(reader, needed, moment);
	wait_in_one_of(reader, calls, count, moment);
	end(reader, NEED_CALLS, 0);
}

/* Messages */

static enum send_mode mode_of(const struct call_semantics *semantics)
{
	const struct call_info *info = semantics->kind->info;

	return info ? info->mode : MODE_NONE;
}

/* A non-blocking operation continues after the call that began it. */
static int64_t end_of_part(const struct occurrence *call)
{
	uint32_t goes_on = CALL_HAS_REQUEST | CALL_STARTS;

	return call->semantics->does & goes_on ? INT64_MAX : call->end;
}

/* True if the end of the send depended on the receiver. */
static bool needs_receiver(const struct need_reader *reader, const struct transfer *message,
                           const struct occurrence *wait)
{
	return wait->end > message->post.start &&
	       send_may_wait(reader->nodes, message->send.semantics, message->post.semantics->process);
}

static void read_partitions(struct need_reader *reader, const struct occurrence *wait,
                            const struct occurrence *send)
{
	begin(reader);
	need(reader, send, wait->end);
	wait_since(reader, wait, wait->start);
	end(reader, NEED_PARTITIONS, 0);
}

static void need_sender(struct need_reader *reader, const struct transfer *message)
{
	int64_t peer;

	if (has_time(&message->send))
		array_add(&reader->needed,
		          (struct needed_call){
				  .call = &message->send,
				  .moment = message->send.start,
				  .until = end_of_part(&message->send),
				  .message = message->send.semantics,
				  .is_any = call_field(message->post.semantics->call, FIELD_PEER, &peer) &&
		                            peer == RANK_ANY});
}

static void read_completion(struct need_reader *reader, const struct completion *completion,
                            const struct transfer *messages, uint32_t count)
{
	const struct occurrence *wait = &completion->wait;
	bool any_partitions = false;

	/* A test may be the end of a longer wait. */
	if (!has_time(wait) ||
	    (wait->end - wait->start < reader->least_ns && !(wait->semantics->does & CALL_TESTS)))
		return;
	begin(reader);
	for (uint32_t i = 0; i < count; i++) {
		const struct transfer *message = &messages[i];
		enum send_mode mode = mode_of(message->send.semantics);
		any_partitions |= mode == MODE_PARTITIONED && !message->is_send;
		if (mode == MODE_PARTITIONED && !message->is_send)
			continue;
		if (!message->is_send)
			need_sender(reader, message);
		else if (has_time(&message->post) && needs_receiver(reader, message, wait))
			array_add(&reader->needed, (struct needed_call){.call = &message->post,
			                                                .moment = message->post.start,
			                                                .until = end_of_part(&message->post),
			                                                .message = message->send.semantics,
			                                                .is_receiver = true});
	}
	wait_since(reader, wait, wait->start);
	if (reader->waits.count)
		reader->waits.items[0].met = max_ns(wait->start, completion->met);
	end(reader, NEED_CALLS, 0);
	for (uint32_t i = 0; any_partitions && i < count; i++)
		if (!messages[i].is_send && mode_of(messages[i].send.semantics) == MODE_PARTITIONED)
			read_partitions(reader, wait, &messages[i].send);
}

static void read_transfers(struct need_reader *reader, const struct row_block *block)
{
	const struct transfer *rows = block_rows(block);
	const struct completion *groups = block_groups(block);

	for (uint32_t i = 0, end; i < block->rows; i = end) {
		end = block_group_end(block, i);
		read_completion(reader, &groups[block->group_of[i]], &rows[i], end - i);
	}
}

/* Unsuccessful tests and the successful one are one wait. */
static void read_found(struct need_reader *reader, const struct row_block *block)
{
	const struct found_message *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++) {
		begin(reader);
		need(reader, &rows[i].send, rows[i].send.start);
		wait_since(reader, &rows[i].call, rows[i].call.start);
		end(reader, NEED_CALLS, 0);
	}
}

/* Collective operations */

static bool is_blocking(const struct collective_call *call)
{
	return call->call.start == call->wait.start && call->call.semantics == call->wait.semantics;
}

static const struct collective_call *part_of(const struct needed_call *needed)
{
	return (const void *)((const char *)needed->call - offsetof(struct collective_call, call));
}

static int by_rank(const void *left, const void *right)
{
	const struct collective_call *a = part_of(left), *b = part_of(right);

	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Each member needs those up to its rank. */
static void read_prefix(struct need_reader *reader, const struct collective_call *calls, uint32_t count)
{
	begin(reader);
	for (uint32_t i = 0; i < count; i++)
		need_until(reader, &calls[i].call, calls[i].call.start, calls[i].wait.end);
	qsort(reader->needed.items, reader->needed.count, sizeof *reader->needed.items, by_rank);
	for (uint32_t i = 0; i < count; i++) {
		const struct collective_call *call = part_of(&reader->needed.items[i]);
		wait_since(reader, &call->wait, call->since);
		reader->waits.items[i].needed = i + 1;
	}
	end(reader, NEED_COLLECTIVE, 0);
}

static bool has_part(const struct collective_call *call, enum needed_members part)
{
	return part == MEMBERS_ALL ? !(call->call.semantics->does & CALL_GIVES_NOTHING)
	                           : call->is_root == (part == MEMBERS_ROOT);
}

/* MEMBERS_NONE: none that is known. If some are enough, these may be all that contribute. */
static enum needed_members part_needed(const struct collective_call *call)
{
	const struct call_semantics *semantics = call->call.semantics;
	enum needed_members part = needed_members(semantics->needs, call->is_root);

	if (semantics->does & CALL_NEEDS_NOBODY || part == MEMBERS_LOWER)
		return MEMBERS_NONE;
	if (part == MEMBERS_SOME)
		return semantics->kind->info->class == CLASS_NEIGHBOURHOOD ? MEMBERS_NONE : MEMBERS_ALL;
	return part;
}

struct met_calls {
	int64_t last, earliest_end;
};

static struct met_calls meet_all(const struct collective_call *calls, uint32_t count)
{
	struct met_calls met = {INT64_MIN, INT64_MAX};

	for (uint32_t i = 0; i < count; i++) {
		met.last = max_ns(met.last, calls[i].call.start);
		met.earliest_end = min_ns(met.earliest_end, calls[i].wait.end);
	}
	return met;
}

/* If MPI allows early leaving, members that left after the last arrival have waited for all. */
static void read_part(struct need_reader *reader, const struct collective_call *calls, uint32_t count,
                      const struct met_calls *met, enum needed_members part, uint64_t instance)
{
	bool early = met->earliest_end < met->last, any_left_early = false;

	begin(reader);
	for (uint32_t i = 0; i < count; i++) {
		if (has_part(&calls[i], part))
			need_until(reader, &calls[i].call, calls[i].call.start, calls[i].wait.end);
		if (part_needed(&calls[i]) != part)
			continue;
		if (early && calls[i].call.semantics->needs == COLLECTIVE_SOME) {
			any_left_early = true;
			if (calls[i].wait.end < met->last)
				continue;
		}
		wait_since(reader, &calls[i].wait, calls[i].since);
	}
	end(reader, any_left_early ? NEED_LEFT_EARLY : NEED_COLLECTIVE,
	    part == MEMBERS_ALL && is_blocking(calls) ? instance : 0);
}

static int by_moment(const void *left, const void *right)
{
	const struct needed_call *a = left, *b = right;

	return (a->moment > b->moment) - (a->moment < b->moment);
}

static uint32_t count_until(const struct need_reader *reader, int64_t moment)
{
	size_t low = 0, high = reader->needed.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (reader->needed.items[middle].moment <= moment)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}

/* Many libraries make progress only inside calls: then no member leaves before those that it depends on are
 * in the completing call; the last one is the last to enter it. */
static void read_progress(struct need_reader *reader, const struct collective_call *calls, uint32_t count)
{
	begin(reader);
	for (uint32_t i = 0; i < count; i++)
		need_until(reader, &calls[i].wait, calls[i].wait.start, calls[i].wait.end);
	qsort(reader->needed.items, reader->needed.count, sizeof *reader->needed.items, by_moment);
	for (uint32_t i = 0; i < count; i++) {
		wait_since(reader, &calls[i].wait, calls[i].since);
		reader->waits.items[i].needed = count_until(reader, calls[i].wait.end);
	}
	end(reader, NEED_PROGRESS, 0);
}

static void read_operation(struct need_reader *reader, const struct collective_call *calls, uint32_t count,
                           uint64_t instance)
{
	struct met_calls met = meet_all(calls, count);
	bool wants[MEMBERS_OTHERS + 1] = {false};

	for (uint32_t i = 0; i < count; i++)
		wants[part_needed(&calls[i])] = true;
	for (enum needed_members part = MEMBERS_ALL; part <= MEMBERS_OTHERS; part++)
		if (wants[part])
			read_part(reader, calls, count, &met, part, instance);
	if (wants[MEMBERS_ALL] && !is_blocking(calls))
		read_progress(reader, calls, count);
}

static bool have_times(const struct collective_call *calls, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!has_time(&calls[i].call) || !has_time(&calls[i].wait))
			return false;
	return true;
}

static void read_collectives(struct need_reader *reader, const struct row_block *block)
{
	const struct collective_call *rows = block_rows(block);

	for (uint32_t i = 0, end; i < block->rows; i = end) {
		end = block_group_end(block, i);
		if (end - i < 2 || !have_times(&rows[i], end - i))
			continue;
		if (rows[i].call.semantics->needs == COLLECTIVE_LOWER_FIRST)
			read_prefix(reader, &rows[i], end - i);
		else
			read_operation(reader, &rows[i], end - i, block->serial + block->group_of[i]);
	}
}

static void read_neighbours(struct need_reader *reader, const struct row_block *block)
{
	const struct neighbour_call *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++) {
		begin(reader);
		need(reader, &rows[i].last, rows[i].last.start);
		wait_since(reader, &rows[i].wait, rows[i].since);
		end(reader, NEED_CALLS, 0);
	}
}

/* Windows and locks */

static void read_exposures(struct need_reader *reader, const struct row_block *block)
{
	const struct exposure *rows = block_rows(block);
	const struct exposure_epoch *groups = block_groups(block);

	for (uint32_t i = 0, last; i < block->rows; i = last) {
		const struct occurrence *wait = &groups[block->group_of[i]].wait;
		last = block_group_end(block, i);
		begin(reader);
		for (uint32_t j = i; j < last; j++)
			need(reader, &rows[j].complete, rows[j].complete.start);
		wait_since(reader, wait, wait->start);
		end(reader, NEED_CALLS, 0);
	}
}

static void read_accesses(struct need_reader *reader, const struct row_block *block)
{
	const struct access_epoch *rows = block_rows(block);
	const struct origin_epoch *groups = block_groups(block);

	for (uint32_t i = 0, end_of; i < block->rows; i = end_of) {
		const struct origin_epoch *epoch = &groups[block->group_of[i]];
		const struct access_epoch *last = &rows[i];
		end_of = block_group_end(block, i);
		begin(reader);
		for (uint32_t j = i; j < end_of; j++) {
			need(reader, &rows[j].post, rows[j].post.start);
			last = rows[j].post.start > last->post.start ? &rows[j] : last;
		}
		wait_in_one_of(reader,
		               (const struct occurrence *[]){&epoch->start,
		                                             last->accesses ? &last->first : &epoch->start,
		                                             &epoch->complete},
		               3, last->post.start);
		end(reader, NEED_CALLS, 0);
	}
}

static void read_locks(struct need_reader *reader, const struct row_block *block)
{
	const struct lock_hold *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++)
		read_pair(reader, &rows[i].before, rows[i].before.end,
		          (const struct occurrence *[]){&rows[i].take, &rows[i].first, &rows[i].give}, 3);
}

static void read_mutexes(struct need_reader *reader, const struct row_block *block)
{
	const struct mutex_hold *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++)
		read_pair(reader, &rows[i].before, rows[i].before.end,
		          (const struct occurrence *[]){&rows[i].take}, 1);
}

/* A target outside MPI makes no progress. */
static void read_passive_calls(struct need_reader *reader, const struct row_block *block)
{
	const struct passive_call *rows = block_rows(block);

	for (uint32_t i = 0; i < block->rows; i++)
		if (rows[i].next.start > rows[i].call.start)
			read_pair(reader, &rows[i].next, rows[i].next.start,
			          (const struct occurrence *[]){&rows[i].call}, 1);
}

static void (*const readers[RELATIONS_END])(struct need_reader *reader, const struct row_block *block) = {
	[RELATION_TRANSFER] = read_transfers,        [RELATION_COLLECTIVE_CALL] = read_collectives,
	[RELATION_NEIGHBOUR_CALL] = read_neighbours, [RELATION_EXPOSURE] = read_exposures,
	[RELATION_ACCESS_EPOCH] = read_accesses,     [RELATION_LOCK_HOLD] = read_locks,
	[RELATION_MUTEX_HOLD] = read_mutexes,        [RELATION_PASSIVE_CALL] = read_passive_calls,
	[RELATION_FOUND_MESSAGE] = read_found,
};

void needs_want(struct row_sink *sink)
{
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		sink->wants[i] |= readers[i] != NULL;
}

void needs_read(struct need_reader *reader, const struct row_block *block)
{
	if (readers[block->relation])
		readers[block->relation](reader, block);
}

void needs_release(struct need_reader *reader)
{
	array_release(&reader->needed);
	array_release(&reader->waits);
}
