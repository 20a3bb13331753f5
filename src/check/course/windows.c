/* Synchronisation of windows: MPI_Win_start, or else MPI_Win_complete, waits for MPI_Win_post, MPI_Win_wait for MPI_Win_complete. A lock waits for
 * those that hold one that excludes it, as long as the program has not left the call: who got it first is not known otherwise. */
#include "check/course/execution.h"

/* An access by one member of what another one exposes to it: how often each was said. */
struct exposed_pair {
	uint64_t posts, starts, completes, waits;
	struct course_thread *starter, *waiter; /* that are blocked */
};

struct window_lock {
	uint32_t origin; /* place */
	bool is_exclusive;
	uint64_t order;
};

struct locked_target {
	ARRAY(struct window_lock) holders;
};

/* The groups of a member. */
struct exposing_member {
	struct analysed_call *start, *post; /* the last ones; kept */
};

struct course_window {
	struct known *known;
	struct map pair_numbers;
	ARRAY(struct exposed_pair) pairs;
	uint32_t member_count;
	struct exposing_member *members;
	struct locked_target *targets; /* by place; behind them, locks of all */
	uint64_t exclusive_count, last_order;
	ARRAY(struct course_thread *) lock_waiters;
};

/* Why a thread is blocked. */
struct window_wait {
	struct course_window *window;
	struct analysed_comm *comm;
	struct analysed_call *call; /* of START the own, of WAIT that of the post; of locks the own; kept */
	enum window_operation operation;
	uint32_t place;
	uint64_t order; /* of a lock: it waits for earlier ones */
};

static struct course_window *window_get(struct course *course, struct analysed_comm *known)
{
	struct course_comm *comm = course_comm_get(known);
	struct course_window *window = comm->window;

	if (window)
		return window;
	comm->window = window = memory_new(1, sizeof *window);
	window->known = course->known;
	window->member_count = comm->member_count;
	window->members = memory_new(comm->member_count, sizeof *window->members);
	window->targets = memory_new((size_t)comm->member_count + 1, sizeof *window->targets);
	return window;
}

/* NULL: there is no such rank. Holds until the next call. */
static struct exposed_pair *pair_of(struct course_window *window, int64_t target, int64_t origin)
{
	uint32_t *number;

	if (target < 0 || origin < 0 || target >= window->member_count || origin >= window->member_count)
		return NULL;
	number = map_put(&window->pair_numbers, map_key((uint64_t)target, (uint64_t)origin));
	if (*number == MAP_NONE) {
		*number = (uint32_t)window->pairs.count;
		array_new_item(&window->pairs);
	}
	return &window->pairs.items[*number];
}

static void replace(struct course_window *window, struct analysed_call **place, struct analysed_call *call)
{
	if (call)
		call_keep(call);
	if (*place)
		call_drop(window->known, *place);
	*place = call;
}

static void block(struct course *course, struct course_thread *thread, const struct window_wait *wait)
{
	thread->window = memory_new(1, sizeof *thread->window);
	*thread->window = *wait;
	call_keep(wait->call);
	thread_block(course, thread, BLOCKED_WINDOW);
}

/* Of one of those that the thread waits for. */
static void has_come(struct course *course, struct course_thread **waiting)
{
	struct course_thread *thread = *waiting;

	*waiting = NULL;
	if (--thread->missing == 0)
		thread_wake(course, thread);
}

/* Posts and starts */

static void execute_post(struct course *course, struct course_window *window, struct analysed_call *call,
                         uint32_t place)
{
	replace(window, &window->members[place].post, call);
	for (uint32_t i = 0; i < call->rank_count; i++) {
		struct exposed_pair *pair = pair_of(window, place, call->ranks[i]);
		if (pair && ++pair->posts >= pair->starts && pair->starter)
			has_come(course, &pair->starter);
	}
}

static void execute_start(struct course *course, struct course_thread *thread, struct window_wait *wait)
{
	replace(wait->window, &wait->window->members[wait->place].start, wait->call);
	for (uint32_t i = 0; i < wait->call->rank_count; i++) {
		struct exposed_pair *pair = pair_of(wait->window, wait->call->ranks[i], wait->place);
		if (!pair || ++pair->starts <= pair->posts)
			continue;
		pair->starter = thread;
		thread->missing++;
	}
	if (thread->missing)
		block(course, thread, wait);
}

static void finish_complete(struct course *course, struct course_window *window, uint32_t place)
{
	const struct analysed_call *start = window->members[place].start;

	for (uint32_t i = 0; start && i < start->rank_count; i++) {
		struct exposed_pair *pair = pair_of(window, start->ranks[i], place);
		if (pair && ++pair->completes >= pair->waits && pair->waiter)
			has_come(course, &pair->waiter);
	}
	replace(window, &window->members[place].start, NULL);
}

/* A start that did not wait for the posts leaves that to the end of its epoch. */
static void execute_complete(struct course *course, struct course_thread *thread, struct window_wait *wait)
{
	struct analysed_call *start = wait->window->members[wait->place].start;

	for (uint32_t i = 0; start && i < start->rank_count; i++) {
		struct exposed_pair *pair = pair_of(wait->window, start->ranks[i], wait->place);
		if (!pair || pair->starts <= pair->posts)
			continue;
		pair->starter = thread;
		thread->missing++;
	}
	wait->call = start;
	if (thread->missing)
		block(course, thread, wait);
	else
		finish_complete(course, wait->window, wait->place);
}

static void execute_wait(struct course *course, struct course_thread *thread, struct window_wait *wait)
{
	struct analysed_call **post = &wait->window->members[wait->place].post;

	if (!*post)
		return;
	wait->call = *post;
	for (uint32_t i = 0; i < wait->call->rank_count; i++) {
		struct exposed_pair *pair = pair_of(wait->window, wait->place, wait->call->ranks[i]);
		if (!pair || ++pair->waits <= pair->completes)
			continue;
		pair->waiter = thread;
		thread->missing++;
	}
	if (thread->missing)
		block(course, thread, wait);
	replace(wait->window, post, NULL);
}

/* Locks */

static struct window_lock *find_lock(struct course_window *window, uint32_t target, uint32_t origin)
{
	struct locked_target *locked = &window->targets[target];

	for (size_t i = 0; i < locked->holders.count; i++)
		if (locked->holders.items[i].origin == origin)
			return &locked->holders.items[i];
	return NULL;
}

/* One that excludes it and came first; NULL: none. */
static const struct window_lock *find_conflict(const struct locked_target *locked,
                                               const struct window_lock *lock)
{
	for (size_t i = 0; i < locked->holders.count; i++) {
		const struct window_lock *other = &locked->holders.items[i];
		if (other->origin != lock->origin && other->order < lock->order &&
		    (other->is_exclusive || lock->is_exclusive))
			return other;
	}
	return NULL;
}

static const struct window_lock *find_holder(const struct course_window *window, uint32_t target,
                                             const struct window_lock *lock)
{
	const struct window_lock *found;

	if (!window->exclusive_count)
		return NULL;
	found = find_conflict(&window->targets[target], lock);
	if (found || target < window->member_count)
		return found ? found : find_conflict(&window->targets[window->member_count], lock);
	for (uint32_t i = 0; i < window->member_count && !found; i++)
		found = find_conflict(&window->targets[i], lock);
	return found;
}

static uint32_t target_of(const struct course_window *window, const struct analysed_call *call)
{
	const bool is_one = call->window == WINDOW_LOCK || call->window == WINDOW_UNLOCK ||
	                    (call->window == WINDOW_FLUSH && call->peer >= 0);

	return is_one && call->peer >= 0 && (uint32_t)call->peer < window->member_count
	               ? (uint32_t)call->peer
	               : window->member_count;
}

static const struct window_lock *holder_of(const struct window_wait *wait)
{
	const uint32_t target = target_of(wait->window, wait->call);
	const struct window_lock *lock = find_lock(wait->window, target, wait->place);

	return lock ? find_holder(wait->window, target, lock) : NULL;
}

static void take_lock(const struct window_wait *wait)
{
	struct course_window *window = wait->window;
	const uint32_t target = target_of(window, wait->call);
	const struct window_lock lock = {.origin = wait->place,
	                                 .is_exclusive = wait->operation == WINDOW_LOCK &&
	                                                 !(wait->call->flags & CHECK_CALL_SHARED),
	                                 .order = ++window->last_order};

	if (find_lock(window, target, wait->place))
		return;
	window->exclusive_count += lock.is_exclusive;
	array_add(&window->targets[target].holders, lock);
}

static void wake_lock_waiters(struct course *course, struct course_window *window)
{
	for (size_t i = 0; i < window->lock_waiters.count; i++)
		if (!holder_of(window->lock_waiters.items[i]->window))
			thread_wake(course, window->lock_waiters.items[i]);
}

static void give_lock(struct course *course, const struct window_wait *wait)
{
	struct course_window *window = wait->window;
	struct locked_target *locked = &window->targets[target_of(window, wait->call)];
	struct window_lock *lock = find_lock(window, target_of(window, wait->call), wait->place);

	if (!lock)
		return;
	window->exclusive_count -= lock->is_exclusive;
	*lock = locked->holders.items[--locked->holders.count];
	wake_lock_waiters(course, window);
}

static void execute_lock(struct course *course, struct course_thread *thread, struct window_wait *wait)
{
	if (wait->operation == WINDOW_LOCK || wait->operation == WINDOW_LOCK_ALL)
		take_lock(wait);
	if (!thread->has_more && holder_of(wait)) {
		array_add(&wait->window->lock_waiters, thread);
		block(course, thread, wait);
	} else if (wait->operation == WINDOW_UNLOCK || wait->operation == WINDOW_UNLOCK_ALL) {
		give_lock(course, wait);
	}
}

/* All */

static bool is_of_locks(enum window_operation operation)
{
	return (operation >= WINDOW_LOCK && operation <= WINDOW_UNLOCK_ALL) || operation == WINDOW_FLUSH;
}

void window_executes(struct course *course, struct course_thread *thread, struct analysed_call *call)
{
	struct window_wait wait = {.comm = call->member->comm,
	                           .call = call,
	                           .operation = call->window,
	                           .place = place_of(call->member)};

	if (call->window == WINDOW_NONE || call->window == WINDOW_SYNC ||
	    (call->window > WINDOW_UNLOCK_ALL && call->window != WINDOW_FLUSH))
		return;
	wait.window = window_get(course, wait.comm);
	switch (call->window) {
	case WINDOW_POST:
		execute_post(course, wait.window, call, wait.place);
		break;
	case WINDOW_START:
		execute_start(course, thread, &wait);
		break;
	case WINDOW_COMPLETE:
		execute_complete(course, thread, &wait);
		break;
	case WINDOW_WAIT:
		execute_wait(course, thread, &wait);
		break;
	default:
		execute_lock(course, thread, &wait);
		break;
	}
}

/* Otherwise for completes. */
static bool waits_for_posts(const struct window_wait *wait)
{
	return wait->operation == WINDOW_START || wait->operation == WINDOW_COMPLETE;
}

static void stop_waiting_for(const struct window_wait *wait, const struct course_thread *thread)
{
	const bool starts = waits_for_posts(wait);

	for (uint32_t i = 0; i < wait->call->rank_count; i++) {
		struct exposed_pair *pair = starts ? pair_of(wait->window, wait->call->ranks[i], wait->place)
		                                   : pair_of(wait->window, wait->place, wait->call->ranks[i]);
		if (pair && pair->starter == thread)
			pair->starter = NULL;
		if (pair && pair->waiter == thread)
			pair->waiter = NULL;
	}
}

static void leave_lock_waiters(struct course_window *window, const struct course_thread *thread)
{
	size_t kept = 0;

	for (size_t i = 0; i < window->lock_waiters.count; i++)
		if (window->lock_waiters.items[i] != thread)
			window->lock_waiters.items[kept++] = window->lock_waiters.items[i];
	window->lock_waiters.count = kept;
}

void window_passes(struct course *course, struct course_thread *thread)
{
	struct window_wait *wait = thread->window;

	thread->window = NULL;
	if (is_of_locks(wait->operation)) {
		leave_lock_waiters(wait->window, thread);
		if (wait->operation == WINDOW_UNLOCK || wait->operation == WINDOW_UNLOCK_ALL)
			give_lock(course, wait);
	} else {
		stop_waiting_for(wait, thread);
		if (wait->operation == WINDOW_COMPLETE)
			finish_complete(course, wait->window, wait->place);
	}
	call_drop(course->known, wait->call);
	free(wait);
}

void window_returned(struct course *course, struct course_thread *thread)
{
	if (is_of_locks(thread->window->operation) || thread->call->is_passed)
		thread_wake(course, thread);
}

void window_waits(struct course *course, struct course_thread *thread, wait_add *add, void *owner)
{
	const struct window_wait *wait = thread->window;
	const bool starts = waits_for_posts(wait);
	uint32_t group = 0;

	if (is_of_locks(wait->operation)) {
		const struct window_lock *holder = holder_of(wait);
		struct course_process *process = holder ? course_member(course, wait->comm, 0, holder->origin)
		                                        : NULL;
		add(owner, thread, group, false, process, process ? wait->comm : NULL, WAIT_LOCK, NULL);
		return;
	}
	for (uint32_t i = 0; i < wait->call->rank_count; i++) {
		const int64_t rank = wait->call->ranks[i];
		const struct exposed_pair *pair = starts ? pair_of(wait->window, rank, wait->place)
		                                         : pair_of(wait->window, wait->place, rank);
		struct course_process *process;
		if (!pair || (starts ? pair->starter : pair->waiter) != thread)
			continue;
		process = course_member(course, wait->comm, 0, (uint32_t)rank);
		add(owner, thread, group++, false, process, process ? wait->comm : NULL,
		    starts ? WAIT_EXPOSURE : WAIT_ACCESS, NULL);
	}
}

void window_release(struct course_comm *comm)
{
	struct course_window *window = comm->window;

	if (!window)
		return;
	for (uint32_t i = 0; i < window->member_count; i++) {
		replace(window, &window->members[i].start, NULL);
		replace(window, &window->members[i].post, NULL);
	}
	for (uint32_t i = 0; i <= window->member_count; i++)
		array_release(&window->targets[i].holders);
	map_release(&window->pair_numbers);
	array_release(&window->pairs);
	array_release(&window->lock_waiters);
	free(window->members);
	free(window->targets);
	free(window);
}
