/* Locks, and the release that each waited for: see rma.h. Completed holds wait in a heap until no
 * process can release a lock before them. In the order of holding, only the last two holders of each
 * kind must be remembered.
 *
 * That order is the order in which their unlocks began: a waiting process cannot be in its unlock before the
 * holder is. Only if a library acquires locks so late that it waits inside MPI_Win_unlock, the earlier
 * unlock may be that of the waiting process. It then contains the end of the other unlock, and was not a
 * shorter wait (waits_for). */
#include "analysis/model/rma.h"
#include "analysis/model/spans.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>

enum { ASSERT_NOCHECK = 1, FULL_MIN = 1024 };

/* Acquiring and releasing */

static struct hold *new_hold(struct rma *rma, struct window_member *member, uint32_t target,
                             const struct occurrence *call)
{
	struct hold *hold = store_take(&rma->holds);

	hold->values = (struct lock_hold){
		.window = member->window->identity, .target = target, .take = *call};
	hold->window = member->window;
	hold->is_unchecked = field_of(call, FIELD_ASSERT, 0) & ASSERT_NOCHECK;
	return hold;
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

static struct hold **place_of_hold(struct window_member *member, struct member_target *there)
{
	return there ? &there->hold : &member->hold_all;
}

void lock_take(struct rma *rma, struct window_member *member, struct member_target *there,
               const struct occurrence *call)
{
	struct hold *hold;

	if (!wants_rows(rma->rows, RELATION_LOCK_HOLD) && !wants_rows(rma->rows, RELATION_PASSIVE_CALL))
		return;
	hold = new_hold(rma, member, there ? there->rank : NO_TARGET, call);
	hold->values.is_exclusive = there && field_of(call, FIELD_LOCK, LOCK_SHARED) == LOCK_EXCLUSIVE;
	replace(rma, place_of_hold(member, there), hold);
	if (there)
		passive_add(rma, hold, there->rank, call);
	else
		passive_add_all(rma, member, call);
}

/* A local flush may complete accesses that have not reached the target yet. */
void lock_flush(struct rma *rma, struct window_member *member, struct member_target *there,
                const struct occurrence *call)
{
	bool is_complete = call->semantics->kind->info->accesses == ACCESSES_COMPLETE;
	struct hold *hold = there ? hold_of(member, there) : member->hold_all;

	if (there && hold)
		passive_add(rma, hold, there->rank, call);
	else if (!there)
		passive_add_unflushed(rma, member, call);
	if (hold && (there || is_complete)) {
		const struct occurrence *first = &hold->values.first;
		/* Some libraries acquire the lock only now. */
		if (!hold->is_flushed && first->semantics &&
		    call->end - call->start > first->end - first->start)
			hold->values.first = *call;
		hold->is_flushed = true;
	}
	if (is_complete)
		passive_flushed(member, there);
}

/* Both locks are open only if the unlock of one of them was not recorded. */
void lock_access(struct rma *rma, struct window_member *member, struct member_target *there,
                 const struct occurrence *call)
{
	struct hold *holds[] = {there->hold, member->hold_all};

	for (int i = 0; i < 2; i++)
		if (holds[i] && !holds[i]->values.first.semantics)
			holds[i]->values.first = *call;
	if (hold_of(member, there))
		passive_access(rma, member, there, call);
}

/* The heap */

static bool is_earlier(const struct hold *a, const struct hold *b)
{
	const struct occurrence *x = &a->values.give, *y = &b->values.give;

	if (x->start != y->start)
		return x->start < y->start;
	if (x->end != y->end)
		return x->end < y->end;
	return x->semantics->process < y->semantics->process;
}

static struct hold *heap_take(struct rma *rma, size_t at)
{
	struct hold *taken = rma->heap[at], *last = rma->heap[--rma->heap_count];
	size_t child;

	rma->exclusive_count -= taken->values.is_exclusive;
	for (; at && is_earlier(last, rma->heap[(at - 1) / 2]); at = (at - 1) / 2)
		rma->heap[at] = rma->heap[(at - 1) / 2];
	while ((child = 2 * at + 1) < rma->heap_count) {
		if (child + 1 < rma->heap_count && is_earlier(rma->heap[child + 1], rma->heap[child]))
			child++;
		if (!is_earlier(rma->heap[child], last))
			break;
		rma->heap[at] = rma->heap[child];
		at = child;
	}
	rma->heap[at] = last;
	return taken;
}

static void give(struct rma *rma, struct hold **place, const struct occurrence *call)
{
	struct hold *hold = *place;
	size_t at;

	if (!hold)
		return;
	*place = NULL;
	hold->values.give = *call;
	if (!hold->values.first.semantics)
		hold->values.first = *call;
	hold->window->pending++;
	rma->processes[call->semantics->process].waiting++;
	at = rma->heap_count++;
	rma->exclusive_count += hold->values.is_exclusive;
	array_fit(rma->heap, rma->heap_room, at + 1u);
	for (; at && is_earlier(hold, rma->heap[(at - 1) / 2]); at = (at - 1) / 2)
		rma->heap[at] = rma->heap[(at - 1) / 2];
	rma->heap[at] = hold;
}

void lock_give(struct rma *rma, struct window_member *member, struct member_target *there,
               const struct occurrence *call)
{
	if (there && there->hold)
		passive_add(rma, there->hold, there->rank, call);
	else if (!there)
		passive_add_all(rma, member, call);
	passive_flushed(member, there);
	give(rma, place_of_hold(member, there), call);
}

/* The previous holder */

/* The time in a call during which the other process may have held the lock. */
static int64_t time_in(const struct occurrence *call, const struct hold *other)
{
	int64_t from = max_ns(call->start, other->values.take.start);

	return max_ns(min_ns(call->end, other->values.give.end) - from, 0);
}

/* How long one would have waited for the other, in the calls in which libraries wait. */
static int64_t wait_for(const struct hold *hold, const struct hold *other)
{
	bool has_first = hold->values.first.start != hold->values.give.start;

	return time_in(&hold->values.take, other) + (has_first ? time_in(&hold->values.first, other) : 0) +
	       time_in(&hold->values.give, other);
}

static bool is_in_conflict(const struct hold *a, const struct hold *b)
{
	return a->window == b->window && (a->values.is_exclusive || b->values.is_exclusive) &&
	       (a->values.target == b->values.target || (uint32_t)a->values.target == NO_TARGET ||
	        (uint32_t)b->values.target == NO_TARGET);
}

/* Although its own unlock began first. If both had left MPI_Win_lock by then, the library does not acquire
 * locks there; otherwise it must have waited much longer. */
static bool waits_for(const struct hold *hold, const struct hold *other)
{
	int64_t own, others;

	if (other->values.give.end >= hold->values.give.end || !is_in_conflict(hold, other))
		return false;
	own = wait_for(hold, other);
	others = wait_for(other, hold);
	return other->values.take.end <= hold->values.give.start ? own >= others : own / 2 > others;
}

/* The first in the heap or, from `at` on, a hold whose unlock is inside that of the first one, and
 * for which it waited. */
static size_t find_holder(const struct rma *rma, size_t at, size_t found)
{
	const struct hold *first = rma->heap[0], *hold;

	if (at >= rma->heap_count || !rma->exclusive_count ||
	    rma->heap[at]->values.give.start >= first->values.give.end)
		return found;
	hold = rma->heap[at];
	if (at && waits_for(first, hold) &&
	    (!found || hold->values.give.end < rma->heap[found]->values.give.end))
		found = at;
	found = find_holder(rma, 2 * at + 1, found);
	return find_holder(rma, 2 * at + 2, found);
}

static void remember(struct last_unlocks *unlocks, const struct occurrence *give)
{
	if (unlocks->last[0].semantics && unlocks->last[0].semantics->process != give->semantics->process)
		unlocks->last[1] = unlocks->last[0];
	unlocks->last[0] = *give;
}

static const struct occurrence *later(const struct occurrence *a, const struct occurrence *b)
{
	if (!a || !b)
		return a ? a : b;
	return b->end > a->end ? b : a;
}

static const struct occurrence *last_of_others(const struct last_unlocks *unlocks, uint32_t process)
{
	const struct occurrence *last = &unlocks->last[0];

	if (last->semantics && last->semantics->process == process)
		last = &unlocks->last[1];
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
	rma->processes[hold->values.give.semantics->process].waiting--;
	forget_window(rma, window);
	store_give(&rma->holds, hold);
}

bool rma_is_full(void *self)
{
	const struct rma *rma = self;

	return rma->heap_count >= rma->full_at;
}

/* Checking all processes pays off only after enough time for as many holds. */
void rma_settle(void *self, const int64_t *now)
{
	struct rma *rma = self;
	int64_t until = INT64_MAX;

	for (size_t i = 0; i < rma->reader->process_count; i++)
		until = now[i] < until ? now[i] : until;
	while (rma->heap_count && rma->heap[0]->values.give.end < until)
		write_hold(rma, heap_take(rma, find_holder(rma, 0, 0)));
	rma->full_at = 2 * rma->heap_count + rma->reader->process_count + FULL_MIN;
}

void lock_write_all(struct rma *rma)
{
	while (rma->heap_count)
		write_hold(rma, heap_take(rma, find_holder(rma, 0, 0)));
}
