/* One-sided calls under a lock, and how long their target was in no call of MPI meanwhile: then most libraries cannot go on. The
 * calls of a lock are kept with it until it is written, and then until the target has come that far. */
#include "analysis/model/rma.h"
#include "base/memory.h"

#include <stdlib.h>

/* Of each process the newest are kept. */
enum { GAPS_MAX = 1 << 16, FIRST_GAPS = 64 };

/* Time of a process between two calls. */
struct gap {
	int64_t start;
	struct occurrence next;
};

static void make_room(struct gaps *gaps)
{
	uint32_t room = gaps->room ? gaps->room * 2 : FIRST_GAPS;
	struct gap *items = memory_new(room, sizeof *items);

	for (uint32_t i = 0; i < gaps->count; i++)
		items[i] = gaps->items[(gaps->first + i) % gaps->room];
	free(gaps->items);
	gaps->items = items;
	gaps->room = room;
	gaps->first = 0;
}

static void add_gap(struct gaps *gaps, const struct occurrence *next)
{
	if (gaps->count == gaps->room && gaps->room < GAPS_MAX)
		make_room(gaps);
	if (gaps->count == gaps->room) {
		gaps->first = (gaps->first + 1) % gaps->room;
		gaps->count--;
	}
	gaps->items[(gaps->first + gaps->count++) % gaps->room] = (struct gap){gaps->last_end, *next};
}

static const struct gap *gap_at(const struct gaps *gaps, uint32_t i)
{
	return &gaps->items[(gaps->first + i) % gaps->room];
}

/* The first gap that ends behind this time. */
static uint32_t find_gap(const struct gaps *gaps, int64_t time)
{
	uint32_t low = 0, high = gaps->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (gap_at(gaps, middle)->next.start > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void look_at_gaps(const struct gaps *gaps, struct passive_call *row)
{
	int64_t from = row->call.start, to = row->call.end;

	row->next = row->call;
	for (uint32_t i = find_gap(gaps, from); i < gaps->count && gap_at(gaps, i)->start < to; i++) {
		const struct gap *gap = gap_at(gaps, i);
		int64_t begin = gap->start > from ? gap->start : from;
		int64_t end = gap->next.start < to ? gap->next.start : to;
		row->absent += end - begin;
		row->next = gap->next;
	}
}

void passive_add(struct rma *rma, struct hold *hold, uint32_t target, const struct occurrence *call)
{
	struct passive_row *row;

	if (!wants_rows(rma->rows, RELATION_PASSIVE_CALL) || target == NO_TARGET || call->end <= call->start)
		return;
	row = store_take(&rma->passive_rows);
	row->values = (struct passive_call){.call = *call, .window = hold->values.window, .target = target};
	row->next = hold->rows;
	hold->rows = row;
}

static void write_rows(struct rma *rma, struct party *target, struct passive_row *row)
{
	look_at_gaps(&target->gaps, &row->values);
	write_row(rma->rows, RELATION_PASSIVE_CALL, &row->values);
	store_give(&rma->passive_rows, row);
}

/* All that the target did during the call is known. */
static bool is_known(const struct party *target, const struct passive_row *row)
{
	return target->gaps.has_begun && target->gaps.last_end >= row->values.call.end;
}

static void write_known(struct rma *rma, struct party *target, bool is_all)
{
	struct passive_row *rows = target->rows;

	target->rows = NULL;
	while (rows) {
		struct passive_row *row = rows;
		rows = row->next;
		if (is_all || is_known(target, row)) {
			write_rows(rma, target, row);
		} else {
			row->next = target->rows;
			target->rows = row;
		}
	}
}

void gap_note(struct rma *rma, struct party *party, const struct occurrence *call)
{
	struct gaps *gaps = &party->gaps;

	if (gaps->has_begun && call->start > gaps->last_end)
		add_gap(gaps, call);
	if (!gaps->has_begun || call->end > gaps->last_end)
		gaps->last_end = call->end;
	gaps->has_begun = true;
	if (party->rows)
		write_known(rma, party, false);
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
			store_give(&rma->passive_rows, row);
			continue;
		}
		row->next = rma->parties[process].rows;
		rma->parties[process].rows = row;
		if (is_known(&rma->parties[process], row))
			write_known(rma, &rma->parties[process], false);
	}
}

void passive_finish(struct rma *rma, struct party *party)
{
	write_known(rma, party, true);
	free(party->gaps.items);
}
