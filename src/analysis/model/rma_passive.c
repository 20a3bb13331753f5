/* One-sided calls under a lock, and the calls that complete them: how long was their target outside MPI
 * meanwhile? Most libraries make no progress then. Calls are kept with the lock until it is written, and then
 * until the target has reached that time.
 *
 * A target that did not return to MPI before the end of a call has not delayed it. A call with several
 * targets (MPI_Win_flush_all, MPI_Wait, …) waited for the one that returned last: it is one row.
 * MPI_Win_lock_all and MPI_Win_unlock_all may need all processes of the window, other calls those accessed
 * since the last flush. */
#include "analysis/model/rma.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>

/* The newest are kept per process. */
enum { GAPS_MAX = 1 << 16, FIRST_GAPS = 64 };

/* Calls that involve all processes of a window: only long ones, and if there are not too many processes. */
enum { ALL_MAX = 256, ALL_NS_MIN = 10000 };

/* Time of a process between two calls. */
struct gap {
	int64_t start;
	struct occurrence next;
};

static const struct gap *gap_at(const struct gaps *gaps, uint64_t i)
{
	return &gaps->items[(gaps->first + i) % gaps->room];
}

static void look_at_gaps(const struct gaps *gaps, struct passive_call *row)
{
	int64_t from = row->call.start, to = row->call.end;

	row->next = row->call;
	for (uint64_t i = sorted_find(0, gaps->count, j, gap_at(gaps, j)->next.start <= from);
	     i < gaps->count && gap_at(gaps, i)->next.start < to; i++) {
		const struct gap *gap = gap_at(gaps, i);
		row->absent += gap->next.start - (gap->start > from ? gap->start : from);
		row->missed = gap->start < from ? from - gap->start : row->missed;
		row->next = gap->next;
	}
}

static void add_row(struct rma *rma, struct hold *hold, uint32_t target, const struct occurrence *call,
                    struct passive_choice *choice)
{
	struct passive_row *row = store_take(&rma->passive_rows);

	row->values = (struct passive_call){.call = *call, .window = hold->values.window, .target = target};
	row->choice = choice;
	row->next = hold->rows;
	hold->rows = row;
}

static bool is_wanted(const struct rma *rma, const struct occurrence *call)
{
	return wants_rows(rma->rows, RELATION_PASSIVE_CALL) && call->end > call->start;
}

void passive_add(struct rma *rma, struct hold *hold, uint32_t target, const struct occurrence *call)
{
	if (is_wanted(rma, call) && target != NO_TARGET)
		add_row(rma, hold, target, call, NULL);
}

struct hold *hold_of(const struct window_member *member, const struct member_target *there)
{
	return there->hold ? there->hold : member->hold_all;
}

void passive_access(struct rma *rma, struct window_member *member, struct member_target *there,
                    const struct occurrence *call)
{
	passive_add(rma, hold_of(member, there), there->rank, call);
	there->is_unflushed = true;
	if (there->is_listed || !wants_rows(rma->rows, RELATION_PASSIVE_CALL))
		return;
	there->is_listed = true;
	array_fit(member->unflushed, member->unflushed_room, member->unflushed_count + 1u);
	member->unflushed[member->unflushed_count++] = (uint32_t)(there - member->targets);
}

/* One of the targets of a call. */
static void add_one_of(struct rma *rma, const struct window_member *member, const struct member_target *there,
                       const struct occurrence *call, struct passive_choice **choice)
{
	struct hold *hold = hold_of(member, there);

	if (!hold)
		return;
	if (!*choice)
		*choice = store_take(&rma->choices);
	(*choice)->missing++;
	add_row(rma, hold, there->rank, call, *choice);
}

void passive_add_unflushed(struct rma *rma, struct window_member *member, const struct occurrence *call)
{
	struct passive_choice *choice = NULL;

	for (uint32_t i = 0; is_wanted(rma, call) && i < member->unflushed_count; i++)
		if (member->targets[member->unflushed[i]].is_unflushed)
			add_one_of(rma, member, &member->targets[member->unflushed[i]], call, &choice);
}

void passive_add_all(struct rma *rma, struct window_member *member, const struct occurrence *call)
{
	uint32_t comm = member->window->comm;
	uint64_t size = comm == NO_COMM ? 0 : rma->comms->comms[comm].sides[0].size;
	struct passive_choice *choice = NULL;

	if (!is_wanted(rma, call) || !member->hold_all || call->end - call->start < ALL_NS_MIN)
		return;
	if (size > ALL_MAX) {
		passive_add_unflushed(rma, member, call);
		return;
	}
	for (uint32_t i = 0; i < size; i++)
		add_one_of(rma, member, &(struct member_target){.rank = i}, call, &choice);
}

void passive_flushed(struct window_member *member, struct member_target *there)
{
	if (there) {
		there->is_unflushed = false;
		return;
	}
	for (uint32_t i = 0; i < member->unflushed_count; i++) {
		there = &member->targets[member->unflushed[i]];
		there->is_unflushed = there->is_listed = false;
	}
	member->unflushed_count = 0;
}

void passive_complete(struct rma *rma, struct open_access *const *accesses, uint32_t count,
                      const struct occurrence *call)
{
	struct passive_choice *choice = NULL;

	for (uint32_t i = 0; is_wanted(rma, call) && i < count; i++)
		add_one_of(rma, accesses[i]->member, &accesses[i]->member->targets[accesses[i]->target_index],
		           call, &choice);
}

/* `row` may be NULL: this target is unknown. */
static void choose(struct rma *rma, struct passive_choice *choice, const struct passive_call *row)
{
	if (row && row->absent && (!choice->last.absent || row->next.start > choice->last.next.start))
		choice->last = *row;
	if (--choice->missing)
		return;
	if (choice->last.absent)
		write_row(rma->rows, RELATION_PASSIVE_CALL, &choice->last);
	store_give(&rma->choices, choice);
}

/* True if everything the target did during the call is known. */
static bool is_target_known(const struct rma_process *target, const struct passive_row *row)
{
	return target->gaps.has_begun && target->gaps.last_end >= row->values.call.end;
}

static void write_passive_calls(struct rma *rma, struct rma_process *target, bool is_all)
{
	struct passive_row *rows = target->rows;

	target->rows = NULL;
	while (rows) {
		struct passive_row *row = rows;
		rows = row->next;
		if (is_all || is_target_known(target, row)) {
			look_at_gaps(&target->gaps, &row->values);
			if (row->choice)
				choose(rma, row->choice, &row->values);
			else
				write_row(rma->rows, RELATION_PASSIVE_CALL, &row->values);
			store_give(&rma->passive_rows, row);
		} else {
			row->next = target->rows;
			target->rows = row;
		}
	}
}

void gap_note(struct rma *rma, struct rma_process *own, const struct occurrence *call)
{
	struct gaps *gaps = &own->gaps;

	if (gaps->has_begun && call->start > gaps->last_end) {
		if (gaps->count == gaps->room && gaps->room < GAPS_MAX) {
			uint32_t room = gaps->room ? gaps->room * 2 : FIRST_GAPS;
			struct gap *items = memory_new(room, sizeof *items);
			for (uint32_t i = 0; i < gaps->count; i++)
				items[i] = gaps->items[(gaps->first + i) % gaps->room];
			free(gaps->items);
			gaps->items = items;
			gaps->room = room;
			gaps->first = 0;
		}
		if (gaps->count == gaps->room) {
			gaps->first = (gaps->first + 1) % gaps->room;
			gaps->count--;
		}
		gaps->items[(gaps->first + gaps->count++) % gaps->room] = (struct gap){gaps->last_end, *call};
	}
	if (!gaps->has_begun || call->end > gaps->last_end)
		gaps->last_end = call->end;
	gaps->has_begun = true;
	if (own->rows)
		write_passive_calls(rma, own, false);
}

void passive_end(struct rma *rma, struct hold *hold, bool is_written)
{
	while (hold->rows) {
		struct passive_row *row = hold->rows;
		uint32_t process = hold->window->comm == NO_COMM
		                           ? NO_PROCESS
		                           : comm_process(rma->comms, hold->window->comm, 0,
		                                          row->values.target);
		hold->rows = row->next;
		row->values.is_contended = hold->has_waited;
		if (!is_written || process == NO_PROCESS || process == row->values.call.semantics->process) {
			if (row->choice)
				choose(rma, row->choice, NULL);
			store_give(&rma->passive_rows, row);
			continue;
		}
		row->next = rma->processes[process].rows;
		rma->processes[process].rows = row;
		if (is_target_known(&rma->processes[process], row))
			write_passive_calls(rma, &rma->processes[process], false);
	}
}

void passive_finish(struct rma *rma, struct rma_process *own)
{
	write_passive_calls(rma, own, true);
	free(own->gaps.items);
}
