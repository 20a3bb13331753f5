/* Order by synchronisation of windows: post before start, complete before wait, and unlock before the next
 * conflicting lock. Fences are collective calls. */
#include "check/execution/ordering_state.h"
#include "check/execution/windows.h"

/* Moments of a member that another member has not learned yet, in order. */
struct ordered_moments {
	size_t head;
	ARRAY(struct ordered_moment) list;
};

struct pair_order {
	struct ordered_moments posts, completes;
};

/* The knowledge at all unlocks of exclusive locks, and of others. For a member: of its memory. For the
 * window: of exclusive locks at any member, and of locks of all. */
struct lock_order {
	struct vector_clock *exclusive, *shared;
};

static void add_moments(struct executed_window *window, struct ordered_process *process,
                        const struct analysed_call *group, bool posts)
{
	for (uint32_t i = 0; group && i < group->rank_count; i++) {
		struct window_pair *pair = window_pair_get(window, group->member->rank,
		                                           (uint32_t)group->ranks[i]);
		struct ordered_moments *queue;

		if (!pair->order)
			pair->order = memory_new(1, sizeof *pair->order);
		queue = posts ? &pair->order->posts : &pair->order->completes;
		if (queue->head == queue->list.count)
			queue->head = queue->list.count = 0;
		array_add(&queue->list, moment_now(process));
	}
}

static void learn_moments(struct executed_window *window, struct ordered_process *process,
                          const struct analysed_call *group, bool posts)
{
	for (uint32_t i = 0; group && i < group->rank_count; i++) {
		const struct window_pair *pair = window_pair_find(window, (uint32_t)group->ranks[i],
		                                                  group->member->rank);

		struct ordered_moments *queue = !pair || !pair->order ? NULL
		                                : posts               ? &pair->order->posts
		                                                      : &pair->order->completes;

		if (!queue || queue->head == queue->list.count)
			continue;
		process_learns(process, &queue->list.items[queue->head]);
		moment_release(&queue->list.items[queue->head++]);
	}
}

static struct lock_order *lock_order_get(struct lock_order **order)
{
	if (!*order)
		*order = memory_new(1, sizeof **order);
	return *order;
}

static void add_unlock(struct vector_clock **sum, struct ordered_process *process)
{
	struct ordered_process learner = {.component = NO_COMPONENT, .clock = *sum};
	struct ordered_moment now = moment_now(process);

	process_learns(&learner, &now);
	*sum = learner.clock;
	moment_release(&now);
}

static void learn_unlocks(struct ordered_process *process, struct vector_clock *sum)
{
	if (sum)
		clock_join(&process->clock, sum);
}

static void order_locks(struct executed_window *window, struct ordered_process *process,
                        const struct analysed_call *call)
{
	const bool is_shared = call->flags & CHECK_CALL_SHARED;
	struct lock_order *all = lock_order_get(&window->order),
			  *there = call->peer < 0 ? all : lock_order_get(&window->members[call->peer].order);

	switch (call->window) {
	case WINDOW_LOCK:
		learn_unlocks(process, there->exclusive);
		if (!is_shared) {
			learn_unlocks(process, there->shared);
			learn_unlocks(process, all->shared);
		}
		break;
	case WINDOW_LOCK_ALL:
		learn_unlocks(process, all->exclusive);
		break;
	case WINDOW_UNLOCK:
		add_unlock(is_shared ? &there->shared : &there->exclusive, process);
		if (!is_shared)
			add_unlock(&all->exclusive, process);
		break;
	default:
		add_unlock(&all->shared, process);
		break;
	}
}

void window_ordered(struct ordering *ordering, struct executed_thread *thread, struct analysed_call *call)
{
	struct ordered_process *process = ordered_process_of(ordering, thread->process);
	struct executed_window *window = call->window <= WINDOW_UNLOCK_ALL ? executed_window_of(call) : NULL;
	const struct executed_window_member *member = window ? &window->members[call->member->rank] : NULL;

	if (!member)
		return;
	switch (call->window) {
	case WINDOW_NONE:
		break;
	case WINDOW_POST:
		add_moments(window, process, call, true);
		break;
	case WINDOW_START:
		learn_moments(window, process, call, true);
		break;
	case WINDOW_COMPLETE:
		add_moments(window, process, member->start, false);
		break;
	case WINDOW_WAIT:
		learn_moments(window, process, member->post, false);
		break;
	default:
		order_locks(window, process, call);
		break;
	}
}

static void moments_release(struct ordered_moments *queue)
{
	for (size_t i = queue->head; i < queue->list.count; i++)
		moment_release(&queue->list.items[i]);
	array_release(&queue->list);
}

static void lock_order_free(struct lock_order *order)
{
	if (!order)
		return;
	clock_drop(order->exclusive);
	clock_drop(order->shared);
	free(order);
}

void window_order_gone(struct executed_window *window)
{
	for (size_t i = 0; i < window->pairs.count; i++) {
		struct pair_order *order = window->pairs.items[i]->order;

		if (!order)
			continue;
		moments_release(&order->posts);
		moments_release(&order->completes);
		free(order);
	}
	for (uint32_t i = 0; i < window->member_count; i++)
		lock_order_free(window->members[i].order);
	lock_order_free(window->order);
}
