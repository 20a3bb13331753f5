#include "analysis/model/window_needs.h"

enum { HOLDS_MOST = 1 << 12, GROUPS_MOST = 1 << 10, MEMBERS_MOST = 1 << 20, EVERY_TARGET = -1 };

/* What a process did with a window towards another one, as often as it is counted. */
enum epoch_step { EPOCH_POSTED, EPOCH_STARTED, EPOCH_COMPLETED, EPOCH_STEPS };

/* What a call on a window does. MPI_Win_test does not wait. */
static enum rma_action act_of(const struct call_info *info)
{
	return info->tests ? RMA_NONE : info->rma;
}

/* Locks */

static void drop_hold(struct waiting_process *process, uint64_t win, int64_t target)
{
	size_t kept = 0;

	for (size_t i = 0; i < process->holds.count; i++)
		if (process->holds.items[i].win != win || process->holds.items[i].target != target)
			process->holds.items[kept++] = process->holds.items[i];
	process->holds.count = kept;
}

static void add_hold(struct waiting_process *process, uint64_t win, int64_t target, bool is_exclusive)
{
	drop_hold(process, win, target);
	if (process->holds.count < HOLDS_MOST)
		array_add(&process->holds, (struct held_lock){win, target, is_exclusive});
	else
		process->is_incomplete = true;
}

static const struct held_lock *find_hold(const struct waiting_process *process, uint64_t win, int64_t target)
{
	for (size_t i = 0; i < process->holds.count; i++) {
		const struct held_lock *hold = &process->holds.items[i];
		if (hold->win == win && (hold->target == target || hold->target == EVERY_TARGET))
			return hold;
	}
	return NULL;
}

/* Epochs */

static struct map_key step_key(uint64_t win, enum epoch_step step, int64_t rank)
{
	return map_key(win, (uint64_t)rank * EPOCH_STEPS + step);
}

static uint32_t count_steps(const struct waiting_process *process, uint64_t win, enum epoch_step step,
                            int64_t rank)
{
	const uint32_t *found = map_find(&process->steps, step_key(win, step, rank));

	return found ? *found : 0;
}

static void count_step(struct waiting_process *process, uint64_t win, enum epoch_step step, int64_t rank)
{
	uint32_t *count;

	if (process->steps.count >= MEMBERS_MOST) {
		process->is_incomplete = true;
		return;
	}
	count = map_put(&process->steps, step_key(win, step, rank));
	*count = *count == MAP_NONE ? 1 : *count + 1;
}

/* The group of the last post, or of the last start; NULL: there was none. */
static struct epoch_group *find_epoch_group(const struct waiting_process *process, uint64_t win, bool exposes)
{
	for (size_t i = 0; i < process->groups.count; i++)
		if (process->groups.items[i].win == win && process->groups.items[i].exposes == exposes)
			return &process->groups.items[i];
	return NULL;
}

static void begin_epoch(struct waiting_process *process, const struct call *call, uint64_t win, bool exposes)
{
	struct epoch_group *group = find_epoch_group(process, win, exposes);

	if (!group && process->groups.count >= GROUPS_MOST) {
		process->is_incomplete = true;
		return;
	}
	if (!group) {
		array_add(&process->groups, (struct epoch_group){.win = win, .exposes = exposes});
		group = &process->groups.items[process->groups.count - 1];
	}
	group->ranks.count = 0;
	for (uint32_t i = 0; i < field_count(call); i++) {
		if (field_key_at(call, i) != FIELD_MEMBER)
			continue;
		array_add(&group->ranks, field_value_at(call, i));
		count_step(process, win, exposes ? EPOCH_POSTED : EPOCH_STARTED, field_value_at(call, i));
	}
}

static void complete_epoch(struct waiting_process *process, uint64_t win)
{
	const struct epoch_group *group = find_epoch_group(process, win, false);

	for (size_t i = 0; group && i < group->ranks.count; i++)
		count_step(process, win, EPOCH_COMPLETED, group->ranks.items[i]);
}

void window_needs_note(struct waiting_process *process, const struct call *call, const struct call_info *info)
{
	uint64_t win = (uint64_t)field_or(call, FIELD_WIN, 0);
	int64_t target = field_or(call, FIELD_TARGET, RANK_NULL);

	switch (act_of(info)) {
	case RMA_LOCK:
		if (target >= 0)
			add_hold(process, win, target,
			         field_or(call, FIELD_LOCK, LOCK_SHARED) == LOCK_EXCLUSIVE);
		break;
	case RMA_LOCK_ALL:
		add_hold(process, win, EVERY_TARGET, false);
		break;
	case RMA_UNLOCK:
		drop_hold(process, win, target);
		break;
	case RMA_UNLOCK_ALL:
		drop_hold(process, win, EVERY_TARGET);
		break;
	case RMA_POST:
		begin_epoch(process, call, win, true);
		break;
	case RMA_START:
		begin_epoch(process, call, win, false);
		break;
	case RMA_COMPLETE:
		complete_epoch(process, win);
		break;
	default:
		break;
	}
}

void window_needs_release(struct waiting_process *process)
{
	for (size_t i = 0; i < process->groups.count; i++)
		array_release(&process->groups.items[i].ranks);
	array_release(&process->groups);
	array_release(&process->holds);
	map_release(&process->steps);
}

/* Who is waited for */

/* An open call on a window. */
struct open_window_call {
	struct call_needs *needs;
	const struct member_group *group;
	const struct waiting_process *process;
	uint64_t win;
};

static uint32_t member_number(const struct open_window_call *wait, int64_t rank)
{
	wait->needs->steps++;
	return rank < 0 ? NO_PROCESS
	                : wait->needs->ways->member(wait->needs->context, wait->group, (uint64_t)rank);
}

/* A process may be a target of its own. */
static void wait_for(const struct open_window_call *wait, int64_t rank)
{
	uint32_t number = member_number(wait, rank);

	if (number != NO_PROCESS && number != wait->group->process)
		call_needs_add(wait->needs, wait->group->process, number);
}

/* Many libraries take a lock only when it is needed: who waits in such a call itself may not have it yet. */
static bool waits_for_target(const struct waiting_process *process, uint64_t win, int64_t target)
{
	return process->call && (uint64_t)field_or(process->call, FIELD_WIN, 0) == win &&
	       field_or(process->call, FIELD_TARGET, RANK_NULL) == target;
}

/* Whoever holds the lock; nobody: the target, which has to take part. */
static void wait_for_lock(const struct open_window_call *wait, int64_t target)
{
	const struct held_lock *own = find_hold(wait->process, wait->win, target);
	bool is_exclusive = own ? own->is_exclusive
	                        : field_or(wait->process->call, FIELD_LOCK, LOCK_SHARED) == LOCK_EXCLUSIVE;
	bool any = false;

	for (int64_t rank = 0; rank < (int64_t)wait->group->size; rank++) {
		uint32_t number = rank == wait->group->own ? NO_PROCESS : member_number(wait, rank);
		const struct waiting_process *other = number == NO_PROCESS ? NULL
		                                                           : wait->needs->processes[number];
		const struct held_lock *hold = other && !other->is_incomplete
		                                       ? find_hold(other, wait->win, target)
		                                       : NULL;

		if (!hold || (!is_exclusive && !hold->is_exclusive) ||
		    waits_for_target(other, wait->win, target))
			continue;
		wait_for(wait, rank);
		any = true;
	}
	if (!any)
		wait_for(wait, target);
}

/* Whether that one has done its part of the epoch that the process is in, or wants to begin. */
static bool has_come(const struct open_window_call *wait, enum rma_action act, int64_t rank)
{
	uint32_t number = member_number(wait, rank);
	const struct waiting_process *other = number == NO_PROCESS ? NULL : wait->needs->processes[number];

	if (!other || other->is_incomplete || wait->process->is_incomplete)
		return true;
	if (act == RMA_WAIT)
		return count_steps(other, wait->win, EPOCH_COMPLETED, wait->group->own) >=
		       count_steps(wait->process, wait->win, EPOCH_POSTED, rank);
	return count_steps(other, wait->win, EPOCH_POSTED, wait->group->own) >=
	       count_steps(wait->process, wait->win, EPOCH_STARTED, rank) + (act == RMA_START);
}

static void wait_for_member(const struct open_window_call *wait, enum rma_action act, int64_t rank)
{
	if (!has_come(wait, act, rank))
		wait_for(wait, rank);
}

static void wait_for_group(const struct open_window_call *wait, enum rma_action act)
{
	const struct epoch_group *group = find_epoch_group(wait->process, wait->win, act == RMA_WAIT);
	const struct call *call = wait->process->call;

	for (uint32_t i = 0; act == RMA_START && i < field_count(call); i++)
		if (field_key_at(call, i) == FIELD_MEMBER)
			wait_for_member(wait, act, field_value_at(call, i));
	for (size_t i = 0; act != RMA_START && group && i < group->ranks.count; i++)
		wait_for_member(wait, act, group->ranks.items[i]);
}

void window_needs_find(struct call_needs *needs, const struct member_group *group)
{
	const struct waiting_process *process = needs->processes[group->process];
	enum rma_action act = act_of(process->info);
	int64_t target = field_or(process->call, FIELD_TARGET, RANK_NULL);
	struct open_window_call wait = {needs, group, process,
	                                (uint64_t)field_or(process->call, FIELD_WIN, 0)};

	if (act == RMA_START || act == RMA_COMPLETE || act == RMA_WAIT)
		wait_for_group(&wait, act);
	else if ((act == RMA_LOCK || act == RMA_UNLOCK || act == RMA_FLUSH) && target >= 0)
		wait_for_lock(&wait, target);
	else if (target >= 0)
		wait_for(&wait, target);
}
