#include "analysis/model/window_needs.h"

enum { WINDOWS_MAX = 1 << 10, PEERS_MAX = 1 << 20 };

bool window_needs_wants(const struct call_info *info)
{
	return info->class == CLASS_EPOCH || call_has(info, KIND_oldwin);
}

/* State of a process */

static struct waiting_window *find_window(const struct waiting_process *process, uint64_t win)
{
	const uint32_t *number = map_find(&process->window_numbers, map_key(win, 0));

	return number ? &process->windows.items[*number] : NULL;
}

static struct waiting_peer *find_peer(const struct waiting_window *window, int64_t rank)
{
	const uint32_t *number = map_find(&window->peer_numbers, map_key((uint64_t)rank, 0));

	return number ? &window->peers.items[*number] : NULL;
}

/* NULL: too many; then the state of this process is uncertain. */
static struct waiting_window *get_window(struct waiting_process *process, uint64_t win)
{
	struct waiting_window *window = find_window(process, win);

	if (window || process->windows.count >= WINDOWS_MAX) {
		process->is_incomplete |= !window;
		return window;
	}
	*map_put(&process->window_numbers, map_key(win, 0)) = (uint32_t)process->windows.count;
	window = array_new_item(&process->windows);
	window->win = win;
	return window;
}

static struct waiting_peer *get_peer(struct waiting_process *process, struct waiting_window *window,
                                     int64_t rank)
{
	struct waiting_peer *peer = find_peer(window, rank);

	if (peer || process->peers >= PEERS_MAX) {
		process->is_incomplete |= !peer;
		return peer;
	}
	process->peers++;
	*map_put(&window->peer_numbers, map_key((uint64_t)rank, 0)) = (uint32_t)window->peers.count;
	return array_new_item(&window->peers);
}

static void release_window(struct waiting_window *window)
{
	array_release(&window->groups[0]);
	array_release(&window->groups[1]);
	array_release(&window->peers);
	map_release(&window->peer_numbers);
}

static void forget_window(struct waiting_process *process, uint64_t win)
{
	struct waiting_window *window = find_window(process, win);
	const struct waiting_window *last;

	if (!window)
		return;
	last = &process->windows.items[process->windows.count - 1];
	process->peers -= window->peers.count;
	release_window(window);
	map_remove(&process->window_numbers, map_key(win, 0));
	if (window != last)
		*map_put(&process->window_numbers,
		         map_key(last->win, 0)) = (uint32_t)(window - process->windows.items);
	*window = *last;
	process->windows.count--;
}

static void name_members(struct waiting_process *process, struct waiting_window *window,
                         const struct call *call, enum rma_action action)
{
	const bool exposes = action == RMA_POST;

	if (action != RMA_COMPLETE)
		window->groups[exposes].count = 0;
	for (uint32_t i = 0; i < field_count(call) && action != RMA_COMPLETE; i++)
		if (field_key_at(call, i) == FIELD_MEMBER)
			array_add(&window->groups[exposes], field_value_at(call, i));
	for (size_t i = 0; i < window->groups[exposes].count; i++) {
		struct waiting_peer *peer = get_peer(process, window, window->groups[exposes].items[i]);
		if (peer)
			epoch_count(&peer->counts, action);
	}
}

void window_needs_note(struct waiting_process *process, const struct call *call, const struct call_info *info)
{
	const uint64_t win = (uint64_t)field_or(call, FIELD_WIN, 0);
	const int64_t target = field_or(call, FIELD_TARGET, RANK_NULL);
	const bool is_exclusive = field_or(call, FIELD_LOCK, LOCK_SHARED) == LOCK_EXCLUSIVE,
		   needs_peer = info->rma == RMA_LOCK || info->rma == RMA_UNLOCK;
	struct waiting_window *window;
	struct waiting_peer *peer = NULL;

	if (!info->rma) {
		forget_window(process, win);
		return;
	}
	if (info->tests || (needs_peer && target < 0) || !(window = get_window(process, win)) ||
	    (needs_peer && !(peer = get_peer(process, window, target))))
		return;
	epochs_follow(&window->epochs, peer ? &peer->epochs : NULL,
	              &(struct epoch_call){.action = info->rma, .is_exclusive = is_exclusive});
	if (info->rma == RMA_POST || info->rma == RMA_START || info->rma == RMA_COMPLETE)
		name_members(process, window, call, info->rma);
}

void window_needs_release(struct waiting_process *process)
{
	for (size_t i = 0; i < process->windows.count; i++)
		release_window(&process->windows.items[i]);
	array_release(&process->windows);
	map_release(&process->window_numbers);
}

/* Partners */

/* An open call on a window. */
struct open_window_call {
	struct call_needs *needs;
	const struct member_group *group;
	const struct waiting_process *process;
	uint64_t win;
	enum rma_action action;
};

/* NULL: its state is unknown. */
static const struct waiting_process *find_member(const struct open_window_call *wait, int64_t rank,
                                                 uint32_t *number)
{
	const struct waiting_process *member;

	wait->needs->steps++;
	*number = rank < 0 ? NO_PROCESS
	                   : wait->needs->ways->member(wait->needs->context, wait->group, (uint64_t)rank);
	member = *number == NO_PROCESS ? NULL : wait->needs->processes[*number];
	return member && !member->is_incomplete ? member : NULL;
}

/* A process may be its own target. */
static void wait_for(const struct open_window_call *wait, int64_t rank)
{
	uint32_t number;

	find_member(wait, rank, &number);
	if (number != NO_PROCESS && number != wait->group->process)
		call_needs_add(wait->needs, wait->group->process, number);
}

/* Many libraries acquire a lock only when needed: a process that waits in a call for this target
 * may not have it yet. */
static bool waits_for_target(const struct waiting_process *process, uint64_t win, int64_t target)
{
	return process->call && (uint64_t)field_or(process->call, FIELD_WIN, 0) == win &&
	       field_or(process->call, FIELD_TARGET, RANK_NULL) == target;
}

static enum lock_kind lock_at(const struct waiting_window *window, int64_t target)
{
	const struct waiting_peer *peer = find_peer(window, target);

	return epochs_lock(&window->epochs, peer ? &peer->epochs : NULL);
}

/* True if the process has a conflicting lock. */
static bool holds_excluding(const struct waiting_process *process, uint64_t win, int64_t target,
                            enum lock_kind lock)
{
	const struct waiting_window *window = find_window(process, win);

	return window && locks_exclude(lock, lock_at(window, target)) &&
	       !waits_for_target(process, win, target);
}

/* True if the process has an exclusive lock of any target. */
static bool holds_any_exclusive(const struct waiting_process *process, uint64_t win)
{
	const struct waiting_window *window = find_window(process, win);
	const int64_t target = process->call ? field_or(process->call, FIELD_TARGET, RANK_NULL) : RANK_NULL;
	const struct waiting_peer *peer = window ? find_peer(window, target) : NULL;

	return window && window->epochs.exclusive > (peer && peer->epochs.is_exclusive &&
	                                             waits_for_target(process, win, target));
}

/* Waits for each process with a conflicting lock; if there is none, for the target, which must take part. */
static void wait_for_lock(const struct open_window_call *wait, int64_t target)
{
	const struct waiting_window *own = find_window(wait->process, wait->win);
	enum lock_kind lock = own ? lock_at(own, target) : LOCKED_NOT;
	bool any = false;

	if (!lock)
		lock = field_or(wait->process->call, FIELD_LOCK, LOCK_SHARED) == LOCK_EXCLUSIVE
		               ? LOCKED_EXCLUSIVE
		               : LOCKED_SHARED;
	for (int64_t rank = 0; rank < (int64_t)wait->group->size; rank++) {
		uint32_t number;
		const struct waiting_process *other = rank == wait->group->own
		                                              ? NULL
		                                              : find_member(wait, rank, &number);

		if (!other || !(target < 0 ? holds_any_exclusive(other, wait->win)
		                           : holds_excluding(other, wait->win, target, lock)))
			continue;
		wait_for(wait, rank);
		any = true;
	}
	if (!any)
		wait_for(wait, target);
}

static void wait_for_member(const struct open_window_call *wait, int64_t rank)
{
	static const struct waiting_peer none;
	uint32_t number;
	const struct waiting_process *other = find_member(wait, rank, &number);
	const struct waiting_window *own = find_window(wait->process, wait->win),
				    *others = other ? find_window(other, wait->win) : NULL;
	const struct waiting_peer *mine = own ? find_peer(own, rank) : NULL,
				  *theirs = others ? find_peer(others, wait->group->own) : NULL;

	if (other && !wait->process->is_incomplete &&
	    !epoch_is_answered(wait->action, &(mine ? mine : &none)->counts,
	                       &(theirs ? theirs : &none)->counts))
		wait_for(wait, rank);
}

static void wait_for_group(const struct open_window_call *wait)
{
	const struct waiting_window *window = find_window(wait->process, wait->win);
	const bool exposes = wait->action == RMA_WAIT;
	const struct call *call = wait->process->call;

	for (uint32_t i = 0; wait->action == RMA_START && i < field_count(call); i++)
		if (field_key_at(call, i) == FIELD_MEMBER)
			wait_for_member(wait, field_value_at(call, i));
	for (size_t i = 0; wait->action != RMA_START && window && i < window->groups[exposes].count; i++)
		wait_for_member(wait, window->groups[exposes].items[i]);
}

void window_needs_find(struct call_needs *needs, const struct member_group *group)
{
	const struct waiting_process *process = needs->processes[group->process];
	int64_t target = field_or(process->call, FIELD_TARGET, RANK_NULL);
	struct open_window_call wait = {needs, group, process,
	                                (uint64_t)field_or(process->call, FIELD_WIN, 0), process->info->rma};

	/* MPI_Win_test does not wait. */
	switch (process->info->tests ? PARTNERS_NONE : epoch_effects[wait.action].waits_for) {
	case PARTNERS_GROUP:
		wait_for_group(&wait);
		break;
	case PARTNERS_HOLDERS:
		if (target >= 0 || !call_has(process->info, KIND_target))
			wait_for_lock(&wait, target);
		break;
	default:
		wait_for(&wait, target);
	}
}
