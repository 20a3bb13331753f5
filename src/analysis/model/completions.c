#include "analysis/model/completions.h"

#include "analysis/model/operation.h"
#include "analysis/model/spans.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* The most completions of a process that wait for an earlier one: then it is written after them. */
enum { IN_ORDER_LIMIT = 4096 };

void completions_add(struct replay *replay, struct match *match, bool is_send)
{
	struct completions *completions = &replay->completions;
	struct message_side side = {.match = match, .is_send = is_send};

	if (is_send && match->state & MATCH_SKIPPED) {
		match_done(replay, match, MATCH_SEND_DONE);
		return;
	}
	if (!is_send)
		side.earlier = match_earlier(match);
	array_fit(completions->sides, completions->side_room, completions->side_count + 1u);
	completions->sides[completions->side_count++] = side;
}

/* Writes the known facts about the message. */
void completions_add_probe(struct replay *replay, const struct match *probe)
{
	struct match *seen = match_new(&replay->matcher, probe->queue, MATCH_PROBE | MATCH_SEND_DONE);

	seen->send = probe->found->send;
	seen->post = probe->post;
	replay->processes[seen->send.semantics->process].in_flight++;
	completions_add(replay, seen, false);
}

/* A received message is completely known, a sent one when its receive is posted. */
static bool is_known(struct message_side side)
{
	return !side.is_send || side.match->state & MATCH_POSTED;
}

static uint32_t count_missing(const struct message_side *sides, uint32_t count)
{
	uint32_t missing = 0;

	for (uint32_t i = 0; i < count; i++)
		missing += !is_known(sides[i]);
	return missing;
}

static void side_done(struct replay *replay, struct message_side side)
{
	match_done(replay, side.match, side.is_send ? MATCH_SEND_DONE : MATCH_RECEIVE_DONE);
}

static struct transfer *fill_known(struct transfer *transfer, const struct message_side *side)
{
	fill_transfer(transfer, side->match, side->is_send);
	transfer->next_other = side->next_other;
	fill_earlier(transfer, side->earlier);
	return transfer + 1;
}

/* The second sink gets its rows in any order. */
static void tell_second(struct replay *replay, const struct occurrence *wait, int64_t met,
                        const struct message_side *sides, uint32_t count)
{
	struct row_writer *second = replay->rows.second;
	uint32_t missing = count_missing(sides, count);
	struct completion *completion;
	struct transfer *transfer;

	if (missing == count || !second || !second->wants[RELATION_TRANSFER])
		return;
	transfer = write_transfers(second, count - missing, &completion);
	completion->wait = *wait;
	completion->met = met;
	for (uint32_t i = 0; i < count; i++)
		if (is_known(sides[i]))
			transfer = fill_known(transfer, &sides[i]);
}

/* Messages whose receives were never posted are omitted. */
static void write_rows(struct replay *replay, const struct occurrence *wait, int64_t met,
                       const struct message_side *sides, uint32_t count)
{
	uint32_t missing = count_missing(sides, count);
	struct completion *completion;
	struct transfer *transfer = NULL;

	if (missing < count && wants_rows(&replay->rows, RELATION_TRANSFER)) {
		transfer = write_transfers(&replay->rows, count - missing, &completion);
		completion->wait = *wait;
		completion->met = met;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (sides[i].is_send && is_known(sides[i]))
			tell_sent(replay, wait, sides[i].match);
		if (transfer && is_known(sides[i]))
			transfer = fill_known(transfer, &sides[i]);
		side_done(replay, sides[i]);
	}
}

static uint32_t dequeue(struct replay *replay, struct replay_process *proc)
{
	uint32_t number = proc->first_pending - 1;

	replay->completions.pending[number].is_queued = false;
	proc->first_pending = replay->completions.pending[number].behind;
	proc->pending_count--;
	return number;
}

static uint32_t keep_pending(struct replay *replay, const struct occurrence *wait, int64_t met,
                             uint32_t missing)
{
	struct completions *completions = &replay->completions;
	struct pending_completion *pending;
	uint32_t number;

	if (!completions->free) {
		array_fit(completions->pending, completions->pending_room, completions->pending_count + 1u);
		completions->pending[completions->pending_count] = (struct pending_completion){0};
		completions->free = ++completions->pending_count;
	}
	number = completions->free - 1;
	pending = &completions->pending[number];
	completions->free = pending->next;
	pending->wait = *wait;
	pending->met = met;
	pending->missing = missing;
	pending->count = completions->side_count;
	pending->is_told = !count_missing(completions->sides, completions->side_count);
	array_fit(pending->sides, pending->room, pending->count);
	memcpy(pending->sides, completions->sides, pending->count * sizeof *pending->sides);
	for (uint32_t i = 0; i < pending->count; i++)
		if (pending->sides[i].is_send)
			pending->sides[i].match->completion = number;
	return number;
}

static void tell_pending(struct replay *replay, uint32_t number)
{
	struct pending_completion *pending = &replay->completions.pending[number];

	if (!pending->is_told)
		tell_second(replay, &pending->wait, pending->met, pending->sides, pending->count);
	pending->is_told = true;
}

static void write_pending(struct replay *replay, uint32_t number)
{
	struct completions *completions = &replay->completions;
	struct occurrence wait = completions->pending[number].wait;

	tell_pending(replay, number);
	write_rows(replay, &wait, completions->pending[number].met, completions->pending[number].sides,
	           completions->pending[number].count);
	completions->pending[number].count = 0;
	completions->pending[number].next = completions->free;
	completions->free = number + 1;
}

/* Writes the complete completions of a process, up to the first incomplete one. */
static void write_queued(struct replay *replay, struct replay_process *proc)
{
	while (proc->first_pending && !replay->completions.pending[proc->first_pending - 1].missing)
		write_pending(replay, dequeue(replay, proc));
}

/* Returns its number. Later completions of its process must wait for it. */
static uint32_t keep_in_order(struct replay *replay, const struct occurrence *wait, int64_t met,
                              uint32_t missing)
{
	struct replay_process *proc = &replay->processes[wait->semantics->process];
	uint32_t number = keep_pending(replay, wait, met, missing);
	struct pending_completion *all = replay->completions.pending;

	all[number].is_queued = true;
	all[number].behind = 0;
	if (proc->first_pending)
		all[proc->last_pending - 1].behind = number + 1;
	else
		proc->first_pending = number + 1;
	proc->last_pending = number + 1;
	if (++proc->pending_count > IN_ORDER_LIMIT) {
		dequeue(replay, proc);
		write_queued(replay, proc);
	}
	return number;
}

static bool is_same_call(const struct occurrence *a, const struct occurrence *b)
{
	return a->semantics == b->semantics && a->start == b->start && a->thread == b->thread;
}

static struct late_receive *late_at(struct late_receives *kept, uint64_t number)
{
	return &kept->items[number % kept->room];
}

bool is_held(const struct replay *replay, const struct occurrence *wait, int64_t sent)
{
	return sent > wait->start && wants_rows(&replay->rows, RELATION_INVERSION) &&
	       wants_rows(&replay->rows, RELATION_TRANSFER);
}

/* For the newest receive that waited, if it received one message and nothing else. */
static bool hold(struct replay *replay, const struct occurrence *wait, int64_t met)
{
	struct completions *completions = &replay->completions;
	struct late_receives *kept = replay->processes[wait->semantics->process].late;
	struct late_receive *newest;
	uint32_t number;

	if (completions->side_count != 1 || completions->sides[0].is_send || !kept || !kept->count ||
	    !is_held(replay, wait, completions->sides[0].match->send.start))
		return false;
	newest = late_at(kept, kept->count - 1);
	if (!is_same_call(&newest->row.wait, wait) || newest->held)
		return false;
	number = replay->rows.sink->in_order ? keep_in_order(replay, wait, met, 1)
	                                     : keep_pending(replay, wait, met, 1);
	newest->held = number + 1;
	return true;
}

void completions_end_call(struct replay *replay, const struct occurrence *wait, int64_t met)
{
	struct completions *completions = &replay->completions;
	bool in_order = replay->rows.sink->in_order;
	bool is_behind = in_order && replay->processes[wait->semantics->process].first_pending;
	uint32_t missing = count_missing(completions->sides, completions->side_count);

	if (!missing)
		tell_second(replay, wait, met, completions->sides, completions->side_count);
	if (!follows_sends(replay)) {
		for (uint32_t i = 0; i < completions->side_count; i++)
			side_done(replay, completions->sides[i]);
	} else if (hold(replay, wait, met)) {
		/* until inversions_waited() has no more room for it */
	} else if (!missing && !is_behind) {
		write_rows(replay, wait, met, completions->sides, completions->side_count);
	} else if (in_order) {
		keep_in_order(replay, wait, met, missing);
	} else if (completions->side_count == 1 &&
	           completions->sides[0].match->send.semantics == wait->semantics) {
		/* A message sent by the current call, and nothing else. */
		completions->sides[0].match->completion = COMPLETION_OWN;
	} else {
		keep_pending(replay, wait, met, missing);
	}
	completions->side_count = 0;
}

static void write_complete(struct replay *replay, uint32_t number)
{
	const struct pending_completion *pending = &replay->completions.pending[number];

	tell_pending(replay, number);
	if (pending->is_queued)
		write_queued(replay, &replay->processes[pending->wait.semantics->process]);
	else
		write_pending(replay, number);
}

void completions_posted(struct replay *replay, struct match *sent)
{
	uint32_t completion = sent->completion;

	if (completion == NO_COMPLETION)
		return;
	if (completion == COMPLETION_OWN)
		write_one(replay, sent, &sent->send, true);
	else if (!--replay->completions.pending[completion].missing)
		write_complete(replay, completion);
}

void completions_drop(struct replay *replay, struct match *sent)
{
	uint32_t completion = sent->completion, i = 0;
	struct pending_completion *pending;

	if (completion == NO_COMPLETION)
		return;
	if (completion != COMPLETION_OWN) {
		pending = &replay->completions.pending[completion];
		while (pending->sides[i].match != sent)
			i++;
		pending->count--;
		memmove(&pending->sides[i], &pending->sides[i + 1],
		        (pending->count - i) * sizeof *pending->sides);
	}
	match_done(replay, sent, MATCH_SEND_DONE);
	if (completion != COMPLETION_OWN && !--replay->completions.pending[completion].missing)
		write_complete(replay, completion);
}

void completions_unposted(struct replay *replay, const struct match *sent)
{
	if (sent->completion < COMPLETION_OWN)
		replay->completions.pending[sent->completion].missing++;
}

void write_collective(void *context, const struct collective *collective)
{
	struct replay *replay = context;
	uint32_t comm = collective_comm(&replay->collectives, collective),
		 count = collective->participant_count;
	uint64_t size = collective_size(&replay->collectives, collective);
	struct collective_operation operation = {
		.comm = replay->comms->comms[comm].identity,
		.position = collective->sequence,
		.order = collective->order,
		.size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
		.is_complete = count >= size,
		.is_mixed = collective->is_mixed,
		.is_partial = exchange_is_partial(collective->participants, count)};

	if (!count)
		return;
	sort_participants(collective->participants, count);
	if (collective->participants->call.semantics->kind->info->pgas == PGAS_COLLECTIVE)
		note_alone(collective->participants, count);
	for (uint32_t first = 0, part; first < count; first += part) {
		struct collective_call *calls = collective->participants + first;

		part = operation.is_partial ? exchange_next(calls, count - first) : count;
		for (uint32_t i = 0; i < part; i++)
			calls[i].until = operation.is_partial
			                         ? max_ns(calls[i].call.start,
			                                  min_ns(calls[i].until, calls[i].wait.end))
			                         : calls[i].wait.end;
		note_completion(calls, part);
		if (counts_calls(replay))
			site_add_collective(calls, part);
		write_group(&replay->rows, RELATION_COLLECTIVE_CALL, &operation, calls, part);
	}
	if (wants_rows(&replay->rows, RELATION_NEIGHBOUR_CALL))
		neighbours_write(&replay->neighbours, &replay->rows, operation.comm, collective->participants,
		                 count);
}

void completions_end(struct replay *replay)
{
	for (uint32_t i = 0; i < replay->process_count; i++)
		while (replay->processes[i].first_pending)
			write_pending(replay, dequeue(replay, &replay->processes[i]));
	for (uint32_t i = 0; i < replay->completions.pending_count; i++)
		if (replay->completions.pending[i].count)
			write_pending(replay, i);
	collectives_end(&replay->collectives);
}

void completions_release(struct completions *completions)
{
	for (uint32_t i = 0; i < completions->pending_count; i++)
		free(completions->pending[i].sides);
	free(completions->pending);
	free(completions->sides);
}

/* Receives in the wrong order */

static void write_if_inverted(struct replay *replay, struct late_receives *kept, uint64_t number)
{
	const struct late_receive *late = late_at(kept, number);

	if (late->is_inverted)
		write_row(&replay->rows, RELATION_INVERSION, &late->row);
}

/* Writes its completion with the current knowledge. */
static void release_held(struct replay *replay, struct late_receive *late)
{
	uint32_t held = late->held;
	struct pending_completion *pending;

	late->held = 0;
	if (!held)
		return;
	pending = &replay->completions.pending[held - 1];
	pending->sides[0].next_other = late->next_other;
	if (!--pending->missing)
		write_complete(replay, held - 1);
}

void inversions_look_back(struct late_receives *kept, const struct occurrence *wait,
                          const struct occurrence *send)
{
	const struct outline *here = wait->semantics->call->outline;
	uint64_t count = kept->count < kept->room ? kept->count : kept->room;

	for (uint64_t i = 0; i < count; i++) {
		struct late_receive *late = &kept->items[i];
		struct inversion *row = &late->row;
		const struct outline *there = row->wait.semantics->call->outline;
		bool is_same_source = row->send.semantics->process == send->semantics->process;

		if (row->send.start <= send->start || is_same_call(&row->wait, wait))
			continue;
		if (!late->is_inverted || is_same_source)
			row->other = send->semantics->process;
		late->is_inverted = true;
		if (!late->next_other && !is_same_source && here->has_site && there->has_site &&
		    here->name == there->name && here->module == there->module &&
		    here->offset == there->offset)
			late->next_other = wait->start;
	}
}

/* Depends only on the trace, so that findings are reproducible. */
static size_t most_late(const struct replay *replay)
{
	size_t share = LATE_KEPT_BY_ALL / (replay->process_count + 1u);

	return share < HELD_MAX ? HELD_MAX : share < LATE_KEPT_MAX ? share : LATE_KEPT_MAX;
}

/* Of several messages received by one call, the one sent last counts. */
void inversions_waited(struct replay *replay, struct replay_process *proc, const struct occurrence *wait,
                       const struct occurrence *send)
{
	struct late_receives *kept = proc->late;
	struct late_receive *late;

	if (!kept)
		kept = proc->late = arena_new(&replay->late, struct late_receives);
	late = kept->count ? late_at(kept, kept->count - 1) : NULL;
	if (late && kept->newest_start == wait->start && is_same_call(&late->row.wait, wait)) {
		if (send->start <= kept->newest_sent)
			return;
	} else {
		if (kept->count >= kept->room && kept->room < most_late(replay)) {
			kept->room = kept->room ? 2 * kept->room : LATE_KEPT_FIRST;
			kept->items = memory_grow(kept->items, kept->room, sizeof *kept->items);
			memset(&kept->items[kept->count], 0,
			       (kept->room - kept->count) * sizeof *kept->items);
		}
		if (kept->count >= HELD_MAX)
			release_held(replay, late_at(kept, kept->count - HELD_MAX));
		write_if_inverted(replay, kept, kept->count);
		late = late_at(kept, kept->count);
		*late = (struct late_receive){.row = {.wait = *wait}};
		kept->count++;
		if (kept->newest_sent > kept->last_sent)
			kept->last_sent = kept->newest_sent;
		kept->newest_start = wait->start;
	}
	late->row.send = *send;
	kept->newest_sent = send->start;
}

void inversions_end(struct replay *replay)
{
	for (uint32_t i = 0; i < replay->process_count; i++) {
		struct late_receives *kept = replay->processes[i].late;

		for (uint32_t k = 0; kept && k < kept->room; k++) {
			write_if_inverted(replay, kept, kept->count + k);
			release_held(replay, late_at(kept, kept->count + k));
		}
		if (kept)
			free(kept->items);
		replay->processes[i].late = NULL;
	}
	arena_release(&replay->late);
}
