#include "check/execution/window_races.h"

#include "calls/ids.h"
#include "check/execution/windows.h"
#include "check/known/report.h"

#include <string.h>

enum { STORES_MAX = 16, ALL_TARGETS = -1 };

/* The last lock of an origin for a target, or for all. */
struct asserted_lock {
	uint32_t origin;
	int32_t target;
	bool is_held;
	enum lock_kind kind;
	bool has_read;  /* by its process, before the lock */
	uint64_t ended; /* number of an event of the process (ordering_count) after its end; 0: none */
	struct analysed_call *call; /* kept */
	struct executed_process *process;
};

struct asserted_member {
	struct executed_process *process;
	uint64_t posted;       /* event after the last post; 0: it has no MPI_MODE_NOCHECK */
	bool is_written;       /* by MPI since its last fence or wait */
	bool may_be_written;   /* under a lock: at any time */
	bool has_passive_read; /* it read window memory under a lock */
};

struct asserted_window {
	struct executed_window *execution;
	bool has_nocheck; /* by a lock */
	struct asserted_member *members;
	struct map lock_numbers;
	ARRAY(struct asserted_lock) locks;
	/* Fences with MPI_MODE_NOSUCCEED on some members only: not reported if the next fence shows that an
	 * access violated it; kept, or NULL */
	struct analysed_call *unsucceeded[2];
	ARRAY(struct analysed_call *) stores; /* violated MPI_MODE_NOSTORE, unless under a lock; kept */
};

struct window_assertions {
	struct execution *execution;
	struct known *known; /* it outlives the execution */
	struct ordering *ordering;
	struct findings_log *log;
	struct map reported; /* pairs of calls */
};

static struct asserted_window *window_of(struct executed_window *execution)
{
	struct asserted_window *window = execution->assertions;

	if (window)
		return window;
	execution->assertions = window = memory_new(1, sizeof *window);
	window->execution = execution;
	window->members = memory_new(execution->member_count, sizeof *window->members);
	return window;
}

static void report(struct window_assertions *assertions, const struct analysed_call *call,
                   const struct analysed_call *other, const char *assertion)
{
	uint32_t *known = map_put(&assertions->reported, map_key(call->serial, other ? other->serial : 0));

	if (*known == MAP_NONE)
		report_finding(assertions->log, CHECK_WINDOW_ASSERTION, 1,
		               CALLS({call, NOTE_HERE}, {other, NOTE_OTHER}), "assertion=%s", assertion);
	*known = 0;
}

/* Locks */

static struct asserted_lock *lock_of(struct asserted_window *window, const struct analysed_call *call)
{
	const int32_t target = call->window == WINDOW_LOCK || call->window == WINDOW_UNLOCK ? call->peer
	                                                                                    : ALL_TARGETS;
	uint32_t *number = map_put(&window->lock_numbers, map_key(call->member->rank, (uint32_t)target));

	if (*number == MAP_NONE) {
		*number = (uint32_t)window->locks.count;
		array_add(&window->locks,
		          (struct asserted_lock){.origin = call->member->rank, .target = target});
	}
	return &window->locks.items[*number];
}

static void check_lock(struct window_assertions *assertions, const struct asserted_window *window,
                       const struct asserted_lock *lock)
{
	for (size_t i = 0; i < window->locks.count; i++) {
		const struct asserted_lock *other = &window->locks.items[i];
		const bool is_own = lock->call->tag & ASSERTION_NOCHECK;

		if (lock->origin == other->origin || !other->call ||
		    !locks_exclude(lock->kind, other->kind) ||
		    (lock->target != ALL_TARGETS && other->target != ALL_TARGETS &&
		     lock->target != other->target) ||
		    !((lock->call->tag | other->call->tag) & ASSERTION_NOCHECK) || lock->has_read ||
		    other->has_read)
			continue;
		if (!other->is_held &&
		    ordering_is_before(assertions->ordering, other->process, other->ended, lock->process))
			continue;
		report(assertions, is_own ? lock->call : other->call, is_own ? other->call : lock->call,
		       "MPI_MODE_NOCHECK");
		return;
	}
}

static void locked(struct window_assertions *assertions, struct asserted_window *window,
                   struct executed_process *process, struct analysed_call *call)
{
	struct asserted_lock *lock = lock_of(window, call);

	call_replace(assertions->known, &lock->call, call);
	lock->process = process;
	lock->is_held = true;
	lock->kind = call->window == WINDOW_LOCK && !(call->flags & CHECK_CALL_SHARED) ? LOCKED_EXCLUSIVE
	                                                                               : LOCKED_SHARED;
	lock->has_read = window->members[call->member->rank].has_passive_read;
	window->has_nocheck |= (call->tag & ASSERTION_NOCHECK) != 0;
	if (window->has_nocheck)
		check_lock(assertions, window, lock);
}

static void unlocked(struct window_assertions *assertions, struct asserted_window *window,
                     struct executed_process *process, const struct analysed_call *call)
{
	struct asserted_lock *lock = lock_of(window, call);

	if (!lock->is_held)
		return;
	lock->is_held = false;
	lock->ended = ordering_count(assertions->ordering, process);
}

/* Posts and starts */

static bool names(const struct analysed_call *group, uint32_t rank)
{
	for (uint32_t i = 0; i < group->rank_count; i++)
		if (group->ranks[i] == (int64_t)rank)
			return true;
	return false;
}

/* A target does not post again before this start is complete: the start belongs to its last post. */
static void started(struct window_assertions *assertions, const struct asserted_window *window,
                    const struct executed_process *process, const struct analysed_call *call)
{
	for (uint32_t i = 0; i < call->rank_count; i++) {
		const bool is_member = call->ranks[i] >= 0 &&
		                       call->ranks[i] < window->execution->member_count;
		const struct asserted_member *target = is_member ? &window->members[call->ranks[i]] : NULL;
		const struct analysed_call *post = is_member ? window->execution->members[call->ranks[i]].post
		                                             : NULL;

		if (!post || !names(post, call->member->rank))
			continue;
		if (((post->tag ^ call->tag) & ASSERTION_NOCHECK) ||
		    (target->posted && target->process != process &&
		     !ordering_is_before(assertions->ordering, target->process, target->posted, process))) {
			report(assertions, call, post, "MPI_MODE_NOCHECK");
			return;
		}
	}
}

static void posted(struct window_assertions *assertions, struct asserted_window *window,
                   struct executed_process *process, struct analysed_call *call)
{
	struct asserted_member *member = &window->members[call->member->rank];

	member->process = process;
	member->posted = call->tag & ASSERTION_NOCHECK ? ordering_count(assertions->ordering, process) : 0;
}

/* Stores */

static void synchronised(struct asserted_window *window, struct analysed_call *call)
{
	const int32_t broken = ASSERTION_NOSTORE | ASSERTION_STORED;

	if ((call->tag & broken) == broken && !window->members[call->member->rank].is_written &&
	    window->stores.count < STORES_MAX)
		array_add(&window->stores, call_keep(call));
}

static void report_unsucceeded(struct window_assertions *assertions, struct asserted_window *window,
                               bool is_known)
{
	if (window->unsucceeded[0] && !is_known)
		report(assertions, window->unsucceeded[0], window->unsucceeded[1], "MPI_MODE_NOSUCCEED");
	for (int i = 0; i < 2; i++)
		call_replace(assertions->known, &window->unsucceeded[i], NULL);
}

/* No later event can show another cause. */
static void report_held_back(struct window_assertions *assertions, struct asserted_window *window)
{
	report_unsucceeded(assertions, window, false);
	for (size_t i = 0; i < window->stores.count; i++) {
		struct analysed_call *call = window->stores.items[i];

		if (!window->members[call->member->rank].may_be_written)
			report(assertions, call, NULL, "MPI_MODE_NOSTORE");
		call_drop(assertions->known, call);
	}
	window->stores.count = 0;
}

static void accessed(struct asserted_window *window, const struct analysed_call *call)
{
	struct asserted_member *target = &window->members[call->peer];
	const uint32_t origin = call->member->rank;
	const bool passive = epochs_lock(&window->execution->members[origin].epochs,
	                                 window_peer_epochs(window->execution, origin, (uint32_t)call->peer));

	if (passive && call->window != WINDOW_PUT && call->window != WINDOW_ACCUMULATE)
		window->members[origin].has_passive_read = true;
	if (call->window == WINDOW_GET || call->operator== WINDOW_OPERATOR_NONE)
		return;
	target->is_written = true;
	target->may_be_written |= passive;
}

/* Events of the execution */

static void window_called(void *owner, struct executed_thread *thread, struct analysed_call *call,
                          uint64_t first)
{
	struct window_assertions *assertions = owner;
	struct executed_window *execution = executed_window_of(call);
	struct asserted_window *window;

	(void)first;
	if (!execution || call->window == WINDOW_GET_COMPLETE)
		return;
	window = window_of(execution);
	switch (call->window) {
	case WINDOW_POST:
		synchronised(window, call);
		posted(assertions, window, thread->process, call);
		break;
	case WINDOW_START:
		started(assertions, window, thread->process, call);
		break;
	case WINDOW_WAIT:
		window->members[call->member->rank].is_written = false;
		break;
	case WINDOW_LOCK:
	case WINDOW_LOCK_ALL:
		locked(assertions, window, thread->process, call);
		break;
	case WINDOW_UNLOCK:
	case WINDOW_UNLOCK_ALL:
		unlocked(assertions, window, thread->process, call);
		break;
	case WINDOW_SYNC:
		window->members[call->member->rank].has_passive_read = true;
		break;
	default:
		if (call->window >= WINDOW_GET && call->window <= WINDOW_FETCH && call->peer >= 0)
			accessed(window, call);
	}
}

/* If one process passes it, all must: finds a fence without the assertion, and one with
 * it. False: they agree. */
static bool fences_differ(const struct executed_collective *collective, uint32_t size, int32_t assertion,
                          struct analysed_call *found[2])
{
	found[0] = found[1] = NULL;
	for (uint32_t i = 0; i < size; i++) {
		struct analysed_call *call = collective->members[i] ? collective->members[i]->call : NULL;

		if (!call || call->flags & CHECK_CALL_REJECTED)
			return false;
		const int has = (call->tag & assertion) != 0;

		found[has] = found[has] ? found[has] : call;
	}
	return found[0] && found[1];
}

static void fenced(struct window_assertions *assertions, const struct executed_collective *collective)
{
	struct asserted_window *window = window_of(
		executed_window_get(assertions->execution, collective->comm));
	const uint32_t size = window->execution->member_count;
	struct analysed_call *differing[2];
	bool is_broken = false;

	for (uint32_t i = 0; i < size; i++)
		is_broken |= collective->members[i] && collective->members[i]->call->tag & ASSERTION_BROKEN;
	report_unsucceeded(assertions, window, is_broken);
	if (!is_broken && fences_differ(collective, size, ASSERTION_NOPRECEDE, differing))
		report(assertions, differing[0], differing[1], "MPI_MODE_NOPRECEDE");
	if (fences_differ(collective, size, ASSERTION_NOSUCCEED, differing))
		for (int i = 0; i < 2; i++)
			call_replace(assertions->known, &window->unsucceeded[i], differing[i]);
	for (uint32_t i = 0; i < size; i++) {
		if (collective->members[i])
			synchronised(window, collective->members[i]->call);
		window->members[i].is_written = false;
	}
}

static void window_free(struct window_assertions *assertions, struct asserted_window *window)
{
	report_unsucceeded(assertions, window, true);
	for (size_t i = 0; i < window->stores.count; i++)
		call_drop(assertions->known, window->stores.items[i]);
	for (size_t i = 0; i < window->locks.count; i++)
		call_replace(assertions->known, &window->locks.items[i].call, NULL);
	array_release(&window->stores);
	array_release(&window->locks);
	map_release(&window->lock_numbers);
	free(window->members);
	free(window);
}

static void all_there(void *owner, struct executed_collective *collective)
{
	const struct executed_operation *one = collective->members[0];

	if (!one || collective->comm->size[1])
		return;
	if (one->call->function == CALL_Win_fence)
		fenced(owner, collective);
	else if (one->call->function == CALL_Win_free && executed_window_find(collective->comm) &&
	         executed_window_find(collective->comm)->assertions)
		report_held_back(owner, executed_window_find(collective->comm)->assertions);
}

static void window_gone(void *owner, struct executed_window *execution)
{
	if (execution->assertions)
		window_free(owner, execution->assertions);
}

struct window_assertions *window_assertions_new(struct execution *execution, struct ordering *ordering,
                                                struct findings_log *log)
{
	struct window_assertions *assertions = memory_new(1, sizeof *assertions);

	assertions->execution = execution;
	assertions->known = execution->known;
	assertions->ordering = ordering;
	assertions->log = log;
	execution_listen_first(execution, &(struct execution_listener){.owner = assertions,
	                                                               .all_there = all_there,
	                                                               .window = window_called,
	                                                               .window_gone = window_gone});
	return assertions;
}

void window_assertions_end(struct window_assertions *assertions)
{
	for (size_t i = 0; i < assertions->execution->windows.count; i++)
		if (assertions->execution->windows.items[i]->assertions)
			report_held_back(assertions, assertions->execution->windows.items[i]->assertions);
}

void window_assertions_free(struct window_assertions *assertions)
{
	map_release(&assertions->reported);
	free(assertions);
}
