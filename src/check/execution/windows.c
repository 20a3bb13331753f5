/* Synchronisation of windows: MPI_Win_start, or else MPI_Win_complete, waits for MPI_Win_post, MPI_Win_wait
 * for MPI_Win_complete. A lock waits for holders of conflicting locks, as long as the program has not left
 * the call: otherwise it is unknown which process got it first. */
#include "check/execution/windows.h"

#include "check/execution/execution_parts.h"

struct window_lock {
	uint32_t origin; /* place */
	enum lock_kind kind;
	uint64_t order;
};

struct locked_target {
	ARRAY(struct window_lock) holders;
};

/* The reason why a thread is blocked */
struct window_wait {
	struct executed_window *window;
	struct analysed_comm *comm;
	struct analysed_call *call; /* of START its own, of WAIT that of the post; of locks its own; kept */
	enum rma_action action;
	uint32_t place;
};

static const enum rma_action actions[] = {
	[WINDOW_POST] = RMA_POST,         [WINDOW_START] = RMA_START,
	[WINDOW_COMPLETE] = RMA_COMPLETE, [WINDOW_WAIT] = RMA_WAIT,
	[WINDOW_LOCK] = RMA_LOCK,         [WINDOW_UNLOCK] = RMA_UNLOCK,
	[WINDOW_LOCK_ALL] = RMA_LOCK_ALL, [WINDOW_UNLOCK_ALL] = RMA_UNLOCK_ALL,
	[WINDOW_FLUSH] = RMA_FLUSH,       [WINDOW_FLUSH_LOCAL] = RMA_FLUSH,
};

/* RMA_NONE: an access, or a call that waits for nobody. */
static enum rma_action action_of(const struct analysed_call *call)
{
	return call->window < sizeof actions / sizeof *actions ? actions[call->window] : RMA_NONE;
}

struct executed_window *executed_window_find(const struct analysed_comm *comm)
{
	return comm->execution ? comm->execution->window : NULL;
}

struct executed_window *executed_window_get(struct execution *execution, struct analysed_comm *known)
{
	struct executed_comm *comm = executed_comm_get(known);
	struct executed_window *window = comm->window;

	if (window)
		return window;
	comm->window = window = memory_new(1, sizeof *window);
	window->execution = execution;
	window->known = execution->known;
	window->number = (uint32_t)execution->windows.count;
	array_add(&execution->windows, window);
	window->member_count = comm->member_count;
	window->members = memory_new(comm->member_count, sizeof *window->members);
	window->targets = memory_new((size_t)comm->member_count + 1, sizeof *window->targets);
	return window;
}

struct executed_window *executed_window_of(const struct analysed_call *call)
{
	struct executed_window *window = call->member && !call->member->comm->size[1]
	                                         ? executed_window_find(call->member->comm)
	                                         : NULL;

	return window && call->member->rank < window->member_count &&
	                       (call->peer < 0 || (uint32_t)call->peer < window->member_count)
	               ? window
	               : NULL;
}

struct window_pair *window_pair_find(const struct executed_window *window, uint32_t member, uint32_t peer)
{
	const uint32_t *number = map_find(&window->pair_numbers, map_key(member, peer));

	return number ? window->pairs.items[*number] : NULL;
}

struct window_pair *window_pair_get(struct executed_window *window, uint32_t member, uint32_t peer)
{
	uint32_t *number = map_put(&window->pair_numbers, map_key(member, peer));

	if (*number == MAP_NONE) {
		*number = (uint32_t)window->pairs.count;
		array_add(&window->pairs, memory_new(1, sizeof(struct window_pair)));
		array_add(&window->members[member].pairs, window->pairs.items[*number]);
	}
	return window->pairs.items[*number];
}

void call_replace(struct known *known, struct analysed_call **place, struct analysed_call *call)
{
	if (call)
		call_keep(call);
	if (*place)
		call_drop(known, *place);
	*place = call;
}

static void block(struct execution *execution, struct executed_thread *thread, const struct window_wait *wait)
{
	thread->window = memory_new(1, sizeof *thread->window);
	*thread->window = *wait;
	call_keep(wait->call);
	wait->window->blocked_count++;
	thread_block(execution, thread, BLOCKED_WINDOW);
}

/* One of the awaited peers has arrived. */
static void has_come(struct execution *execution, struct executed_thread **waiting)
{
	struct executed_thread *thread = *waiting;

	*waiting = NULL;
	if (--thread->missing == 0)
		thread_wake(execution, thread);
}

/* Posts and starts */

static bool is_member(const struct executed_window *window, int64_t rank)
{
	return rank >= 0 && rank < window->member_count;
}

/* The peer has done its part of the epoch that this call of the member begins or ends. */
static bool is_answered(const struct executed_window *window, enum rma_action action, uint32_t member,
                        uint32_t peer)
{
	static const struct window_pair none;
	const struct window_pair *own = window_pair_find(window, member, peer),
				 *other = window_pair_find(window, peer, member);

	return epoch_is_answered(action, &(own ? own : &none)->counts, &(other ? other : &none)->counts);
}

/* The peer may have waited for it. */
void learn_epoch(struct execution *execution, const struct process_fact *fact)
{
	struct executed_window *window = executed_window_get(execution, fact->call->member->comm);
	const uint32_t member = place_of(fact->call->member), peer = fact->peer;
	const enum rma_action action = fact->action;
	struct window_pair *other = window_pair_find(window, peer, member);

	epoch_count(&window_pair_get(window, member, peer)->counts, action);
	if (other && action == RMA_POST && other->starter && is_answered(window, RMA_COMPLETE, peer, member))
		has_come(execution, &other->starter);
	if (other && action == RMA_COMPLETE && other->waiter && is_answered(window, RMA_WAIT, peer, member))
		has_come(execution, &other->waiter);
}

/* The member of the call performs `action` for each process of its group. */
static void name_group(struct execution *execution, const struct executed_window *window,
                       enum rma_action action, struct analysed_call *group)
{
	for (uint32_t i = 0; group && i < group->rank_count; i++)
		if (is_member(window, group->ranks[i]))
			fact_tell(execution, member_process(group->member->comm, (uint32_t)group->ranks[i]),
			          &(struct process_fact){.kind = FACT_EPOCH,
			                                 .call = group,
			                                 .peer = (uint32_t)group->ranks[i],
			                                 .action = action});
}

/* The group of the open epoch that the call begins or ends; NULL: none. */
static struct analysed_call *group_of(const struct window_wait *wait)
{
	const struct executed_window_member *member = &wait->window->members[wait->place];

	const enum epoch_kind closes = epoch_effects[wait->action].closes;

	if (!closes)
		return wait->call;
	if (!epoch_is_open(&member->epochs, closes))
		return NULL;
	return closes == EPOCH_START ? member->start : member->post;
}

/* The call has returned. */
static void end_epoch(struct execution *execution, const struct window_wait *wait, struct analysed_call *call)
{
	const enum epoch_kind closes = epoch_effects[wait->action].closes;

	if (closes == EPOCH_START)
		name_group(execution, wait->window, RMA_COMPLETE, call);
	else if (closes == EPOCH_LOCK || closes == EPOCH_LOCK_ALL)
		fact_tell(execution, NULL, &(struct process_fact){.kind = FACT_UNLOCKED, .call = call});
}

/* MPI_Win_start, MPI_Win_complete and MPI_Win_wait. If a start did not wait for the posts, the
 * end of its epoch does. */
static void execute_group(struct execution *execution, struct executed_thread *thread,
                          struct window_wait *wait)
{
	struct analysed_call *group = group_of(wait);

	for (uint32_t i = 0; group && i < group->rank_count; i++) {
		struct window_pair *pair;

		if (!is_member(wait->window, group->ranks[i]) ||
		    is_answered(wait->window, wait->action, wait->place, (uint32_t)group->ranks[i]))
			continue;
		pair = window_pair_get(wait->window, wait->place, (uint32_t)group->ranks[i]);
		*(wait->action == RMA_WAIT ? &pair->waiter : &pair->starter) = thread;
		thread->missing++;
	}
	if (wait->action == RMA_START)
		name_group(execution, wait->window, RMA_START, group);
	wait->call = group;
	if (thread->missing)
		block(execution, thread, wait);
	else
		end_epoch(execution, wait, group);
}

/* Locks */

static struct window_lock *find_lock(struct executed_window *window, uint32_t target, uint32_t origin)
{
	struct locked_target *locked = &window->targets[target];

	for (size_t i = 0; i < locked->holders.count; i++)
		if (locked->holders.items[i].origin == origin)
			return &locked->holders.items[i];
	return NULL;
}

/* An earlier conflicting lock; NULL: none. */
static const struct window_lock *find_conflict(const struct locked_target *locked,
                                               const struct window_lock *lock)
{
	for (size_t i = 0; i < locked->holders.count; i++) {
		const struct window_lock *other = &locked->holders.items[i];
		if (other->origin != lock->origin && other->order < lock->order &&
		    locks_exclude(other->kind, lock->kind))
			return other;
	}
	return NULL;
}

static const struct window_lock *find_holder(const struct executed_window *window, uint32_t target,
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

/* The last place means all members. */
static uint32_t target_of(const struct executed_window *window, const struct analysed_call *call)
{
	return call->peer >= 0 && (uint32_t)call->peer < window->member_count ? (uint32_t)call->peer
	                                                                      : window->member_count;
}

/* A flush of one target may use a lock of all. */
static const struct window_lock *holder_of(const struct window_wait *wait)
{
	const uint32_t target = target_of(wait->window, wait->call);
	const struct window_lock *lock = find_lock(wait->window, target, wait->place);

	if (!lock)
		lock = find_lock(wait->window, wait->window->member_count, wait->place);
	return lock ? find_holder(wait->window, target, lock) : NULL;
}

static enum lock_kind lock_kind_of(const struct analysed_call *call)
{
	return call->window == WINDOW_LOCK && !(call->flags & CHECK_CALL_SHARED) ? LOCKED_EXCLUSIVE
	                                                                         : LOCKED_SHARED;
}

void learn_locked(struct execution *execution, const struct process_fact *fact)
{
	struct executed_window *window = executed_window_get(execution, fact->call->member->comm);
	const uint32_t target = target_of(window, fact->call);
	const struct window_lock lock = {.origin = place_of(fact->call->member),
	                                 .kind = lock_kind_of(fact->call),
	                                 .order = ++window->last_order};

	if (find_lock(window, target, lock.origin))
		return;
	window->exclusive_count += lock.kind == LOCKED_EXCLUSIVE;
	array_add(&window->targets[target].holders, lock);
}

void learn_unlocked(struct execution *execution, const struct process_fact *fact)
{
	struct executed_window *window = executed_window_get(execution, fact->call->member->comm);
	const uint32_t target = target_of(window, fact->call);
	struct locked_target *locked = &window->targets[target];
	struct window_lock *lock = find_lock(window, target, place_of(fact->call->member));

	if (!lock)
		return;
	window->exclusive_count -= lock->kind == LOCKED_EXCLUSIVE;
	*lock = locked->holders.items[--locked->holders.count];
	for (size_t i = 0; i < window->lock_waiters.count; i++)
		if (!holder_of(window->lock_waiters.items[i]->window))
			thread_wake(execution, window->lock_waiters.items[i]);
}

static void execute_lock(struct execution *execution, struct executed_thread *thread,
                         struct window_wait *wait)
{
	if (epoch_effects[wait->action].opens)
		fact_tell(execution, NULL, &(struct process_fact){.kind = FACT_LOCKED, .call = wait->call});
	if (!thread->has_more && holder_of(wait)) {
		array_add(&wait->window->lock_waiters, thread);
		block(execution, thread, wait);
	} else {
		end_epoch(execution, wait, wait->call);
	}
}

/* All */

static bool is_of_locks(const struct window_wait *wait)
{
	return epoch_effects[wait->action].waits_for == PARTNERS_HOLDERS;
}

void window_executes(struct execution *execution, struct executed_thread *thread, struct analysed_call *call)
{
	struct window_wait wait = {.comm = call->member->comm,
	                           .call = call,
	                           .action = action_of(call),
	                           .place = place_of(call->member)};

	/* Requests may complete after their window has ended. */
	if (call->window == WINDOW_NONE || call->window == WINDOW_GET_COMPLETE)
		return;
	wait.window = executed_window_get(execution, wait.comm);
	if (wait.action == RMA_POST)
		name_group(execution, wait.window, RMA_POST, call);
	else if (is_of_locks(&wait))
		execute_lock(execution, thread, &wait);
	else if (wait.action)
		execute_group(execution, thread, &wait);
}

void window_follow(struct analysed_call *call)
{
	struct executed_window *window = executed_window_of(call);
	const enum rma_action action = action_of(call);
	const bool has_target = action == RMA_LOCK || action == RMA_UNLOCK;
	struct executed_window_member *member;

	if (!window || !action || (has_target && call->peer < 0))
		return;
	member = &window->members[call->member->rank];
	epochs_follow(&member->epochs,
	              has_target ? &window_pair_get(window, call->member->rank, (uint32_t)call->peer)->epochs
	                         : NULL,
	              &(struct epoch_call){.action = action,
	                                   .is_exclusive = lock_kind_of(call) == LOCKED_EXCLUSIVE});
	if (call->window == WINDOW_START)
		call_replace(window->known, &member->start, call);
	if (call->window == WINDOW_POST)
		call_replace(window->known, &member->post, call);
}

static void stop_waiting_for(const struct window_wait *wait, const struct executed_thread *thread)
{
	for (uint32_t i = 0; i < wait->call->rank_count; i++) {
		struct window_pair *pair = is_member(wait->window, wait->call->ranks[i])
		                                   ? window_pair_find(wait->window, wait->place,
		                                                      (uint32_t)wait->call->ranks[i])
		                                   : NULL;
		if (pair && pair->starter == thread)
			pair->starter = NULL;
		if (pair && pair->waiter == thread)
			pair->waiter = NULL;
	}
}

void window_wait_free(struct execution *execution, struct executed_thread *thread)
{
	struct window_wait *wait = thread->window;
	struct executed_window *waiters = wait->window;
	size_t kept = 0;

	thread->window = NULL;
	wait->window->blocked_count--;
	if (!is_of_locks(wait))
		stop_waiting_for(wait, thread);
	for (size_t i = 0; i < waiters->lock_waiters.count; i++)
		if (waiters->lock_waiters.items[i] != thread)
			waiters->lock_waiters.items[kept++] = waiters->lock_waiters.items[i];
	waiters->lock_waiters.count = kept;
	call_drop(execution->known, wait->call);
	free(wait);
}

void window_passes(struct execution *execution, struct executed_thread *thread)
{
	const struct window_wait wait = *thread->window;

	call_keep(wait.call);
	window_wait_free(execution, thread);
	end_epoch(execution, &wait, wait.call);
	call_drop(execution->known, wait.call);
}

void window_returned(struct execution *execution, struct executed_thread *thread)
{
	if (is_of_locks(thread->window) || thread->call->is_passed)
		thread_wake(execution, thread);
}

void window_waits(struct execution *execution, struct executed_thread *thread, wait_add *add, void *owner)
{
	const struct window_wait *wait = thread->window;
	const bool starts = wait->action != RMA_WAIT; /* an access epoch, or ends it */
	uint32_t group = 0;

	if (is_of_locks(wait)) {
		const struct window_lock *holder = holder_of(wait);
		struct executed_process *process = holder ? execution_member(execution, wait->comm, 0,
		                                                             holder->origin)
		                                          : NULL;
		add(owner, thread, group, false, process, process ? wait->comm : NULL, WAIT_LOCK, NULL);
		return;
	}
	for (uint32_t i = 0; i < wait->call->rank_count; i++) {
		const int64_t rank = wait->call->ranks[i];
		const struct window_pair *pair = is_member(wait->window, rank)
		                                         ? window_pair_find(wait->window, wait->place,
		                                                            (uint32_t)rank)
		                                         : NULL;
		struct executed_process *process;
		if (!pair || (starts ? pair->starter : pair->waiter) != thread)
			continue;
		process = execution_member(execution, wait->comm, 0, (uint32_t)rank);
		add(owner, thread, group++, false, process, process ? wait->comm : NULL,
		    starts ? WAIT_EXPOSURE : WAIT_ACCESS, NULL);
	}
}

bool window_is_awaited(const struct executed_comm *comm)
{
	return comm->window && comm->window->blocked_count;
}

void window_release(struct executed_comm *comm)
{
	struct executed_window *window = comm->window, *last;

	if (!window)
		return;
	/* The last window takes its number. */
	last = window->execution->windows.items[--window->execution->windows.count];
	window->execution->windows.items[window->number] = last;
	last->number = window->number;
	LISTENERS_CALL(window->execution, window_gone, window);
	for (uint32_t i = 0; i < window->member_count; i++) {
		call_replace(window->known, &window->members[i].start, NULL);
		call_replace(window->known, &window->members[i].post, NULL);
		call_replace(window->known, &window->members[i].fence, NULL);
		array_release(&window->members[i].pairs);
	}
	for (size_t i = 0; i < window->pairs.count; i++)
		free(window->pairs.items[i]);
	for (uint32_t i = 0; i <= window->member_count; i++)
		array_release(&window->targets[i].holders);
	map_release(&window->pair_numbers);
	array_release(&window->pairs);
	array_release(&window->lock_waiters);
	free(window->members);
	free(window->targets);
	free(window);
}
