/* Order by synchronisation of windows: post before start, complete before wait, and unlock before the next lock unless both are shared. Fences are
 * collective calls. */
#include "check/course/ordering_state.h"

enum window_edge { EDGE_POSTED = 1, EDGE_COMPLETED, EDGE_UNLOCKED_EXCLUSIVE, EDGE_UNLOCKED };

/* Moments in their order, between two members of a window. */
struct ordered_moments {
	size_t head;
	ARRAY(struct ordered_moment) list;
};

struct ordered_window {
	uint64_t identity;
	struct map numbers; /* of from and to, and what is between them */
	ARRAY(struct ordered_moments *) queues;
	ARRAY(struct analysed_call *) groups; /* by rank: the last start, and the last post; kept */
};

static struct ordered_window *window_of(struct ordering *ordering, uint64_t identity)
{
	uint32_t *number = map_put(&ordering->window_numbers, map_key(identity, 0));
	struct ordered_window *window;

	if (*number != MAP_NONE)
		return ordering->windows.items[*number];
	*number = (uint32_t)ordering->windows.count;
	window = memory_new(1, sizeof *window);
	window->identity = identity;
	array_add(&ordering->windows, window);
	return window;
}

static struct ordered_moments *queue_of(struct ordered_window *window, uint32_t from, uint32_t to,
                                        enum window_edge edge)
{
	uint32_t *number = map_put(&window->numbers, map_key((uint64_t)from << 32 | to, edge));

	if (*number == MAP_NONE) {
		*number = (uint32_t)window->queues.count;
		array_add(&window->queues, memory_new(1, sizeof(struct ordered_moments)));
	}
	return window->queues.items[*number];
}

static void queue_add(struct ordered_moments *queue, struct ordered_process *process)
{
	if (queue->head == queue->list.count)
		queue->head = queue->list.count = 0;
	array_add(&queue->list, moment_now(process));
}

static void learn_next(struct ordered_process *process, struct ordered_moments *queue)
{
	if (queue->head == queue->list.count)
		return;
	process_learns(process, &queue->list.items[queue->head]);
	moment_release(&queue->list.items[queue->head++]);
}

/* The last unlock holds what the earlier ones did. */
static void unlocked(struct ordered_window *window, struct ordered_process *process, uint32_t target,
                     bool is_shared)
{
	for (enum window_edge edge = is_shared ? EDGE_UNLOCKED : EDGE_UNLOCKED_EXCLUSIVE;
	     edge <= EDGE_UNLOCKED; edge++) {
		struct ordered_moments *queue = queue_of(window, target, target, edge);
		struct ordered_process sum = {.component = NO_COMPONENT};
		struct ordered_moment now = moment_now(process);
		if (queue->list.count)
			sum.clock = clock_keep(queue->list.items[0].clock);
		process_learns(&sum, &now);
		if (queue->list.count)
			moment_release(&queue->list.items[0]);
		queue->list.count = 0;
		array_add(&queue->list, (struct ordered_moment){process, sum.clock, now.count});
		moment_release(&now);
	}
}

static void locked(struct ordered_window *window, struct ordered_process *process, uint32_t target,
                   bool is_shared)
{
	const struct ordered_moments *queue = queue_of(window, target, target,
	                                               is_shared ? EDGE_UNLOCKED_EXCLUSIVE : EDGE_UNLOCKED);

	if (queue->list.count)
		clock_join(&process->clock, queue->list.items[0].clock);
}

static void for_group(struct ordered_window *window, struct ordered_process *process,
                      const struct analysed_call *group, enum window_edge edge, bool learns)
{
	for (uint32_t i = 0; group && i < group->rank_count; i++) {
		const uint32_t own = group->member->rank, peer = (uint32_t)group->ranks[i];
		struct ordered_moments *queue = queue_of(window, learns ? peer : own, learns ? own : peer,
		                                         edge);
		if (learns)
			learn_next(process, queue);
		else
			queue_add(queue, process);
	}
}

/* MPI_Win_complete and MPI_Win_wait do not name the group. */
static struct analysed_call **group_place(struct ordered_window *window, uint32_t rank, bool is_post)
{
	return &array_extend(&window->groups, 2 * (size_t)rank + 2)->items[2 * (size_t)rank + is_post];
}

static void remember_group(struct ordering *ordering, struct ordered_window *window,
                           struct analysed_call *call, bool is_post)
{
	struct analysed_call **group = group_place(window, call->member->rank, is_post);

	call_keep(call);
	if (*group)
		call_drop(ordering->known, *group);
	*group = call;
}

void window_ordered(struct ordering *ordering, struct course_thread *thread, struct analysed_call *call)
{
	struct ordered_process *process = ordered_process_of(ordering, thread->process);
	const bool is_shared = call->flags & CHECK_CALL_SHARED;
	struct ordered_window *window;

	if (!call->member || call->window > WINDOW_UNLOCK)
		return;
	window = window_of(ordering, call->member->comm->identity);
	switch (call->window) {
	case WINDOW_POST:
		remember_group(ordering, window, call, true);
		for_group(window, process, call, EDGE_POSTED, false);
		break;
	case WINDOW_START:
		remember_group(ordering, window, call, false);
		for_group(window, process, call, EDGE_POSTED, true);
		break;
	case WINDOW_COMPLETE:
		for_group(window, process, *group_place(window, call->member->rank, false), EDGE_COMPLETED,
		          false);
		break;
	case WINDOW_WAIT:
		for_group(window, process, *group_place(window, call->member->rank, true), EDGE_COMPLETED,
		          true);
		break;
	case WINDOW_LOCK:
		locked(window, process, (uint32_t)call->peer, is_shared);
		break;
	case WINDOW_UNLOCK:
		unlocked(window, process, (uint32_t)call->peer, is_shared);
		break;
	default:
		break;
	}
}

static void window_free(struct ordering *ordering, struct ordered_window *window)
{
	for (size_t i = 0; i < window->queues.count; i++) {
		struct ordered_moments *queue = window->queues.items[i];
		for (size_t j = queue->head; j < queue->list.count; j++)
			moment_release(&queue->list.items[j]);
		array_release(&queue->list);
		free(queue);
	}
	for (size_t i = 0; i < window->groups.count; i++)
		if (window->groups.items[i])
			call_drop(ordering->known, window->groups.items[i]);
	array_release(&window->queues);
	array_release(&window->groups);
	map_release(&window->numbers);
	free(window);
}

void window_freed(struct ordering *ordering, uint64_t identity)
{
	const uint32_t *found = map_find(&ordering->window_numbers, map_key(identity, 0));
	const uint32_t number = found ? *found : 0;
	struct ordered_window *last;

	if (!found)
		return;
	map_remove(&ordering->window_numbers, map_key(identity, 0));
	window_free(ordering, ordering->windows.items[number]);
	last = ordering->windows.items[--ordering->windows.count];
	if (number < ordering->windows.count) {
		ordering->windows.items[number] = last;
		*map_put(&ordering->window_numbers, map_key(last->identity, 0)) = number;
	}
}

void windows_release(struct ordering *ordering)
{
	for (size_t i = 0; i < ordering->windows.count; i++)
		window_free(ordering, ordering->windows.items[i]);
	array_release(&ordering->windows);
	map_release(&ordering->window_numbers);
}
