#include "analysis/live/live_windows.h"

#include <string.h>

enum { HOLDS_MOST = 1 << 12, GROUPS_MOST = 1 << 10, MEMBERS_MOST = 1 << 20, EVERY_TARGET = -1 };

/* What a process did with a window towards another one, as often as it is counted. */
enum epoch_step { EPOCH_POSTED, EPOCH_STARTED, EPOCH_COMPLETED, EPOCH_STEPS };

/* What calls on windows do. */
enum window_act {
	ACT_NONE,
	ACT_LOCK,
	ACT_LOCK_ALL,
	ACT_UNLOCK,
	ACT_UNLOCK_ALL,
	ACT_FLUSH,
	ACT_POST,
	ACT_START,
	ACT_COMPLETE,
	ACT_WAIT
};

static const struct {
	const char *name;
	enum window_act act;
} window_acts[] = {
	{"MPI_Win_lock", ACT_LOCK},         {"MPI_Win_lock_all", ACT_LOCK_ALL},
	{"MPI_Win_unlock", ACT_UNLOCK},     {"MPI_Win_unlock_all", ACT_UNLOCK_ALL},
	{"MPI_Win_flush", ACT_FLUSH},       {"MPI_Win_flush_local", ACT_FLUSH},
	{"MPI_Win_post", ACT_POST},         {"MPI_Win_start", ACT_START},
	{"MPI_Win_complete", ACT_COMPLETE}, {"MPI_Win_wait", ACT_WAIT},
};

static enum window_act act_of(const struct call_info *info)
{
	for (size_t i = 0; i < sizeof window_acts / sizeof *window_acts; i++)
		if (strcmp(window_acts[i].name, info->name) == 0)
			return window_acts[i].act;
	return ACT_NONE;
}

static int64_t field_of(const struct call *call, enum field_key key, int64_t otherwise)
{
	int64_t value;

	return call_field(call, key, &value) ? value : otherwise;
}

/* Locks */

static void drop_hold(struct live_process *process, uint64_t win, int64_t target)
{
	size_t kept = 0;

	for (size_t i = 0; i < process->holds.count; i++)
		if (process->holds.items[i].win != win || process->holds.items[i].target != target)
			process->holds.items[kept++] = process->holds.items[i];
	process->holds.count = kept;
}

static void add_hold(struct live_process *process, uint64_t win, int64_t target, bool is_exclusive)
{
	drop_hold(process, win, target);
	if (process->holds.count < HOLDS_MOST)
		array_add(&process->holds, (struct live_hold){win, target, is_exclusive});
	else
		process->is_counted = false;
}

static const struct live_hold *find_hold(const struct live_process *process, uint64_t win, int64_t target)
{
	for (size_t i = 0; i < process->holds.count; i++) {
		const struct live_hold *hold = &process->holds.items[i];
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

static uint32_t count_steps(const struct live_process *process, uint64_t win, enum epoch_step step,
                            int64_t rank)
{
	const uint32_t *found = map_find(&process->steps, step_key(win, step, rank));

	return found ? *found : 0;
}

static void count_step(struct live_process *process, uint64_t win, enum epoch_step step, int64_t rank)
{
	uint32_t *count;

	if (process->steps.count >= MEMBERS_MOST) {
		process->is_counted = false;
		return;
	}
	count = map_put(&process->steps, step_key(win, step, rank));
	*count = *count == MAP_NONE ? 1 : *count + 1;
}

/* The group of the last post, or of the last start; NULL: there was none. */
static struct live_group *find_live_group(struct live_process *process, uint64_t win, bool exposes)
{
	for (size_t i = 0; i < process->groups.count; i++)
		if (process->groups.items[i].win == win && process->groups.items[i].exposes == exposes)
			return &process->groups.items[i];
	return NULL;
}

static void begin_epoch(struct live_process *process, const struct call *call, uint64_t win, bool exposes)
{
	struct live_group *group = find_live_group(process, win, exposes);

	if (!group && process->groups.count >= GROUPS_MOST) {
		process->is_counted = false;
		return;
	}
	if (!group) {
		array_add(&process->groups, (struct live_group){.win = win, .exposes = exposes});
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

static void complete_epoch(struct live_process *process, uint64_t win)
{
	const struct live_group *group = find_live_group(process, win, false);

	for (size_t i = 0; group && i < group->ranks.count; i++)
		count_step(process, win, EPOCH_COMPLETED, group->ranks.items[i]);
}

void live_windows_note(struct live_process *process, const struct call *call, const struct call_info *info)
{
	uint64_t win = (uint64_t)field_of(call, FIELD_WIN, 0);
	int64_t target = field_of(call, FIELD_TARGET, RANK_NULL);

	switch (act_of(info)) {
	case ACT_LOCK:
		if (target >= 0)
			add_hold(process, win, target,
			         field_of(call, FIELD_LOCK, LOCK_SHARED) == LOCK_EXCLUSIVE);
		break;
	case ACT_LOCK_ALL:
		add_hold(process, win, EVERY_TARGET, false);
		break;
	case ACT_UNLOCK:
		drop_hold(process, win, target);
		break;
	case ACT_UNLOCK_ALL:
		drop_hold(process, win, EVERY_TARGET);
		break;
	case ACT_POST:
		begin_epoch(process, call, win, true);
		break;
	case ACT_START:
		begin_epoch(process, call, win, false);
		break;
	case ACT_COMPLETE:
		complete_epoch(process, win);
		break;
	default:
		break;
	}
}

void live_windows_release(struct live_process *process)
{
	for (size_t i = 0; i < process->groups.count; i++)
		array_release(&process->groups.items[i].ranks);
	array_release(&process->groups);
	array_release(&process->holds);
	map_release(&process->steps);
}

/* Who is waited for */

/* Many libraries take a lock only when it is needed: who waits in such a call itself may not have it yet. */
static bool waits_for_target(const struct live_process *process, uint64_t win, int64_t target)
{
	return process->state == LIVE_IN_CALL && (uint64_t)field_of(process->call, FIELD_WIN, 0) == win &&
	       field_of(process->call, FIELD_TARGET, RANK_NULL) == target;
}

/* Whoever holds the lock; nobody: the target, which has to take part. */
static void wait_for_lock(const struct live_window_wait *wait, uint64_t win, int64_t target)
{
	const struct live_hold *own = find_hold(wait->process, win, target);
	bool is_exclusive = own ? own->is_exclusive
	                        : field_of(wait->process->call, FIELD_LOCK, LOCK_SHARED) == LOCK_EXCLUSIVE;
	bool any = false;

	for (int64_t rank = 0; rank < wait->size; rank++) {
		const struct live_process *other = rank == wait->own ? NULL
		                                                     : wait->member(wait->context, rank);
		const struct live_hold *hold = other && other->is_counted ? find_hold(other, win, target)
		                                                          : NULL;
		if (!hold || (!is_exclusive && !hold->is_exclusive) || waits_for_target(other, win, target))
			continue;
		wait->add(wait->context, rank);
		any = true;
	}
	if (!any)
		wait->add(wait->context, target);
}

/* Whether that one has done its part of the epoch that the process is in, or wants to begin. */
static bool has_come(const struct live_window_wait *wait, enum window_act act, uint64_t win, int64_t rank)
{
	const struct live_process *other = wait->member(wait->context, rank);

	if (!other || !other->is_counted || !wait->process->is_counted)
		return true;
	if (act == ACT_WAIT)
		return count_steps(other, win, EPOCH_COMPLETED, wait->own) >=
		       count_steps(wait->process, win, EPOCH_POSTED, rank);
	return count_steps(other, win, EPOCH_POSTED, wait->own) >=
	       count_steps(wait->process, win, EPOCH_STARTED, rank) + (act == ACT_START);
}

static void wait_for_member(const struct live_window_wait *wait, enum window_act act, uint64_t win,
                            int64_t rank)
{
	if (!has_come(wait, act, win, rank))
		wait->add(wait->context, rank);
}

static void wait_for_group(const struct live_window_wait *wait, enum window_act act, uint64_t win)
{
	const struct live_group *group = find_live_group(wait->process, win, act == ACT_WAIT);
	const struct call *call = wait->process->call;

	for (uint32_t i = 0; act == ACT_START && i < field_count(call); i++)
		if (field_key_at(call, i) == FIELD_MEMBER)
			wait_for_member(wait, act, win, field_value_at(call, i));
	for (size_t i = 0; act != ACT_START && group && i < group->ranks.count; i++)
		wait_for_member(wait, act, win, group->ranks.items[i]);
}

void live_windows_wait(const struct live_window_wait *wait)
{
	const struct call *call = wait->process->call;
	enum window_act act = act_of(wait->process->info);
	uint64_t win = (uint64_t)field_of(call, FIELD_WIN, 0);
	int64_t target = field_of(call, FIELD_TARGET, RANK_NULL);

	if (act == ACT_START || act == ACT_COMPLETE || act == ACT_WAIT)
		wait_for_group(wait, act, win);
	else if ((act == ACT_LOCK || act == ACT_UNLOCK || act == ACT_FLUSH) && target >= 0)
		wait_for_lock(wait, win, target);
	else if (target >= 0)
		wait->add(wait->context, target);
}
