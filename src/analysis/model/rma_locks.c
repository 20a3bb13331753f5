/* Locks, and whose release each had to wait for: see rma.h. Holds that are over wait in a heap until no process can
 * give back a lock before them; in the order of their ends the last two holders of each kind are all that has to be
 * remembered.
 *
 * One-sided calls under a lock are kept with it until it is written, and then until the target has come that far: how long was it
 * in no call of MPI meanwhile? Then most libraries cannot go on. */
#include "analysis/model/rma.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>

enum { ASSERT_NOCHECK = 1, FULL_AT_LEAST = 1024 };

/* Calls under a lock */

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

static void write_passive_call(struct rma *rma, struct party *target, struct passive_row *row)
{
	look_at_gaps(&target->gaps, &row->values);
	write_row(rma->rows, RELATION_PASSIVE_CALL, &row->values);
	store_give(&rma->passive_rows, row);
}

/* All that the target did during the call is known. */
static bool is_target_known(const struct party *target, const struct passive_row *row)
{
	return target->gaps.has_begun && target->gaps.last_end >= row->values.call.end;
}

static void write_passive_calls(struct rma *rma, struct party *target, bool is_all)
{
	struct passive_row *rows = target->rows;

	target->rows = NULL;
	while (rows) {
		struct passive_row *row = rows;
		rows = row->next;
		if (is_all || is_target_known(target, row)) {
			write_passive_call(rma, target, row);
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
		write_passive_calls(rma, party, false);
}

/* The lock is over; not written: its end is missing. */
static void passive_end(struct rma *rma, struct hold *hold, bool is_written)
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
		if (is_target_known(&rma->parties[process], row))
			write_passive_calls(rma, &rma->parties[process], false);
	}
}

void passive_finish(struct rma *rma, struct party *party)
{
	write_passive_calls(rma, party, true);
	free(party->gaps.items);
}

/* Taking and giving */

static struct hold *new_hold(struct rma *rma, struct use *use, uint32_t target, const struct occurrence *call)
{
	struct hold *hold = store_take(&rma->holds);

	hold->values = (struct lock_hold){.window = use->window->identity, .target = target, .take = *call};
	hold->window = use->window;
	hold->is_unchecked = field_of(call, FIELD_ASSERT, 0) & ASSERT_NOCHECK;
	return hold;
}

static bool find_target(const struct occurrence *call, uint32_t *target)
{
	int64_t found = field_of(call, FIELD_TARGET, RANK_NULL);

	*target = (uint32_t)found;
	return found >= 0 && found < NO_TARGET;
}

static void replace(struct rma *rma, struct hold **place, struct hold *hold)
{
	if (*place) {
		rma->counts->open_locks++;
		passive_end(rma, *place, false);
		store_give(&rma->holds, *place);
	}
	*place = hold;
}

static bool is_followed(const struct rma *rma)
{
	return wants_rows(rma->rows, RELATION_LOCK_HOLD) || wants_rows(rma->rows, RELATION_PASSIVE_CALL);
}

void lock_take(struct rma *rma, struct use *use, const struct occurrence *call)
{
	uint32_t target;
	struct hold *hold;

	if (!is_followed(rma) || !find_target(call, &target))
		return;
	hold = new_hold(rma, use, target, call);
	hold->values.is_exclusive = field_of(call, FIELD_LOCK, LOCK_SHARED) == LOCK_EXCLUSIVE;
	passive_add(rma, hold, target, call);
	replace(rma, &target_of(use, target)->hold, hold);
}

void lock_flush(struct rma *rma, struct use *use, const struct occurrence *call)
{
	uint32_t target;
	struct hold *hold;

	if (!find_target(call, &target))
		return;
	hold = target_of(use, target)->hold;
	hold = hold ? hold : use->hold_all;
	if (hold)
		passive_add(rma, hold, target, call);
}

void lock_take_all(struct rma *rma, struct use *use, const struct occurrence *call)
{
	if (is_followed(rma))
		replace(rma, &use->hold_all, new_hold(rma, use, NO_TARGET, call));
}

void lock_access(struct hold *hold, const struct occurrence *call)
{
	if (!hold->values.first.semantics)
		hold->values.first = *call;
}

/* The heap */

static bool is_earlier(const struct hold *a, const struct hold *b)
{
	const struct occurrence *x = &a->values.give, *y = &b->values.give;

	if (x->end != y->end)
		return x->end < y->end;
	if (x->start != y->start)
		return x->start < y->start;
	return x->semantics->process < y->semantics->process;
}

static void heap_add(struct rma *rma, struct hold *hold)
{
	size_t at = rma->heap_count++;

	array_fit(rma->heap, rma->heap_room, at + 1u);
	for (; at && is_earlier(hold, rma->heap[(at - 1) / 2]); at = (at - 1) / 2)
		rma->heap[at] = rma->heap[(at - 1) / 2];
	rma->heap[at] = hold;
}

static struct hold *heap_take(struct rma *rma)
{
	struct hold *first = rma->heap[0], *last = rma->heap[--rma->heap_count];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < rma->heap_count) {
		if (child + 1 < rma->heap_count && is_earlier(rma->heap[child + 1], rma->heap[child]))
			child++;
		if (!is_earlier(rma->heap[child], last))
			break;
		rma->heap[at] = rma->heap[child];
		at = child;
	}
	rma->heap[at] = last;
	return first;
}

static void give(struct rma *rma, struct hold **place, const struct occurrence *call)
{
	struct hold *hold = *place;

	if (!hold)
		return;
	*place = NULL;
	hold->values.give = *call;
	if (!hold->values.first.semantics)
		hold->values.first = *call;
	hold->window->pending++;
	rma->parties[call->semantics->process].waiting++;
	heap_add(rma, hold);
}

void lock_give(struct rma *rma, struct use *use, const struct occurrence *call)
{
	uint32_t target;

	lock_flush(rma, use, call);
	if (find_target(call, &target))
		give(rma, &target_of(use, target)->hold, call);
}

void lock_give_all(struct rma *rma, struct use *use, const struct occurrence *call)
{
	give(rma, &use->hold_all, call);
}

/* Who came before */

static void remember(struct recent *recent, const struct occurrence *give)
{
	if (recent->last[0].semantics && recent->last[0].semantics->process != give->semantics->process)
		recent->last[1] = recent->last[0];
	recent->last[0] = *give;
}

static const struct occurrence *later(const struct occurrence *a, const struct occurrence *b)
{
	if (!a || !b)
		return a ? a : b;
	return b->end > a->end ? b : a;
}

static const struct occurrence *last_of_others(const struct recent *recent, uint32_t process)
{
	const struct occurrence *last = &recent->last[0];

	if (last->semantics && last->semantics->process == process)
		last = &recent->last[1];
	return last->semantics ? last : NULL;
}

static struct lock_place *place_at(struct window *window, uint32_t target)
{
	uint32_t *number = map_put(&window->by_target, map_key(target, 0));

	if (*number == UINT32_MAX) {
		*number = window->place_count;
		array_fit(window->places, window->place_room, window->place_count + 1u);
		window->places[window->place_count++] = (struct lock_place){0};
	}
	return &window->places[*number];
}

static const struct occurrence *find_before(const struct hold *hold, const struct lock_place *place)
{
	uint32_t process = hold->values.give.semantics->process;
	const struct occurrence *before = last_of_others(&place->exclusive, process);

	if (hold->values.is_exclusive) {
		before = later(before, last_of_others(&place->shared, process));
		before = later(before, last_of_others(&hold->window->all.shared, process));
	}
	return before;
}

static void write_hold(struct rma *rma, struct hold *hold)
{
	struct window *window = hold->window;
	struct lock_place *place = (uint32_t)hold->values.target == NO_TARGET
	                                   ? &window->all
	                                   : place_at(window, (uint32_t)hold->values.target);
	const struct occurrence *before = find_before(hold, place);

	hold->has_waited = before && !hold->is_unchecked && before->end > hold->values.take.start;
	hold->values.before = hold->has_waited ? *before : hold->values.take;
	write_row(rma->rows, RELATION_LOCK_HOLD, &hold->values);
	passive_end(rma, hold, true);
	remember(hold->values.is_exclusive ? &place->exclusive : &place->shared, &hold->values.give);
	if (hold->values.is_exclusive)
		remember(&window->all.exclusive, &hold->values.give);
	window->pending--;
	rma->parties[hold->values.give.semantics->process].waiting--;
	forget_window(rma, window);
	store_give(&rma->holds, hold);
}

bool rma_is_full(void *self)
{
	const struct rma *rma = self;

	return rma->heap_count >= rma->full_at;
}

/* Looking at all processes pays when there was time for as many holds since. */
void rma_settle(void *self, const int64_t *now)
{
	struct rma *rma = self;
	int64_t until = INT64_MAX;

	for (size_t i = 0; i < rma->reader->process_count; i++)
		until = now[i] < until ? now[i] : until;
	while (rma->heap_count && rma->heap[0]->values.give.end < until)
		write_hold(rma, heap_take(rma));
	rma->full_at = 2 * rma->heap_count + rma->reader->process_count + FULL_AT_LEAST;
}

void lock_write_all(struct rma *rma)
{
	while (rma->heap_count)
		write_hold(rma, heap_take(rma));
}
