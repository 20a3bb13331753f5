/* Order by collective calls, following their data: from the root to the others, from lower to higher
 * ranks, or between all. */
#include "calls/calls.h"
#include "check/execution/ordering_state.h"

static bool is_neighbourhood(const struct executed_operation *operation)
{
	return all_calls[operation->call->function].class == CLASS_NEIGHBOURHOOD;
}

static bool needs(const struct executed_operation *operation, enum collective_needs whom)
{
	return all_calls[operation->call->function].collective == whom;
}

/* True if all members learn from all. */
static bool is_for_all(const struct executed_operation *operation)
{
	return !is_neighbourhood(operation) && !needs(operation, COLLECTIVE_ROOT_FIRST) &&
	       !needs(operation, COLLECTIVE_ROOT_LAST) && !needs(operation, COLLECTIVE_LOWER_FIRST);
}

static void learn_from(struct ordered_process *process, const struct executed_collective *collective,
                       uint32_t place)
{
	if (place < comm_places(collective->comm) && collective->members[place] &&
	    order_of(collective->members[place]))
		process_learns(process, &order_of(collective->members[place])->begin);
}

static void learn_from_range(struct ordered_process *process, const struct executed_collective *collective,
                             uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		learn_from(process, collective, i);
}

/* On an intercommunicator the root is in the other group, and passes MPI_ROOT (-2); the others of its group
 * pass MPI_PROC_NULL (-3). */
static void learn_rooted(struct ordered_process *process, const struct executed_operation *operation)
{
	const struct executed_collective *collective = operation->collective;
	const struct comm_member *member = operation->call->member;
	const uint32_t *size = collective->comm->size;
	const int32_t root = operation->call->root;
	const bool is_inter = size[1] != 0;
	const uint32_t other = is_inter && !member->side ? size[0] : 0;

	if (needs(operation, COLLECTIVE_ROOT_FIRST)) {
		if (root >= 0)
			learn_from(process, collective, other + (uint32_t)root);
	} else if (root == ROOT_SELF)
		learn_from_range(process, collective, other, other + size[!member->side]);
	else if (!is_inter && root == (int32_t)member->rank)
		learn_from_range(process, collective, 0, size[0]);
}

/* A member learns from the members that have arrived. */
static void learn_as_member(struct ordered_process *process, const struct executed_operation *operation)
{
	const struct comm_member *member = operation->call->member;

	if (is_neighbourhood(operation)) {
		for (uint32_t i = 0; i < member->source_count; i++)
			if (member->sources[i] >= 0)
				learn_from(process, operation->collective, (uint32_t)member->sources[i]);
	} else if (needs(operation, COLLECTIVE_LOWER_FIRST))
		learn_from_range(process, operation->collective, 0, place_of(operation->call->member));
	else if (!is_for_all(operation))
		learn_rooted(process, operation);
	else
		learn_from_range(process, operation->collective, 0, comm_places(operation->collective->comm));
}

void collective_learn(struct ordering *ordering, struct executed_operation *operation)
{
	struct operation_order *order = order_of(operation);
	struct ordered_process *process = order->begin.process;

	if (!order->incoming.process) {
		if (operation->collective && ordering->component_count)
			learn_as_member(process, operation);
	} else if (process->clock == order->begin.clock && is_for_all(operation)) {
		/* The incoming clock includes everything that this process knew. */
		clock_drop(process->clock);
		process->clock = clock_keep(order->incoming.clock);
	} else
		clock_join(&process->clock, order->incoming.clock);
}

void collective_all_there(struct ordering *ordering, struct executed_collective *collective)
{
	const uint32_t count = comm_places(collective->comm);
	struct ordered_process sum = {.component = NO_COMPONENT};

	if (!ordering->component_count || !collective->members[0] || is_neighbourhood(collective->members[0]))
		return;
	if (is_for_all(collective->members[0]))
		learn_from_range(&sum, collective, 0, count);
	for (uint32_t i = 0; i < count; i++) {
		struct executed_operation *operation = collective->members[i];
		if (!operation)
			continue;
		if (!is_for_all(operation) && !needs(operation, COLLECTIVE_LOWER_FIRST)) {
			clock_drop(sum.clock);
			sum.clock = NULL;
			learn_rooted(&sum, operation);
		}
		if (order_of(operation) && !order_of(operation)->incoming.process)
			order_of(operation)->incoming = (struct ordered_moment){
				order_of(operation)->begin.process, clock_keep(sum.clock), 0};
		if (needs(operation, COLLECTIVE_LOWER_FIRST))
			learn_from(&sum, collective, i);
	}
	clock_drop(sum.clock);
}

/* Parts */

static bool is_rooted_at(const struct executed_operation *operation)
{
	return operation->call->root == (int32_t)operation->call->member->rank;
}

/* A sum over all members says what some of them learn. */
static bool has_sum(const struct executed_operation *operation)
{
	return !is_neighbourhood(operation) && !needs(operation, COLLECTIVE_LOWER_FIRST) &&
	       (is_for_all(operation) || !comm_is_inter(operation->call->member->comm));
}

bool ordering_sum_members(struct ordering *ordering, const struct executed_collective *collective,
                          struct vector_clock **sum)
{
	struct ordered_process all = {.component = NO_COMPONENT, .clock = *sum};
	bool knows = false, right = true;

	for (uint32_t i = 0; ordering->component_count && i < comm_places(collective->comm); i++) {
		const struct executed_operation *operation = collective->members[i];
		const struct ordered_moment *begin = operation ? &order_of(operation)->begin : NULL;

		if (!operation)
			continue;
		knows |= begin->clock || begin->count;
		right &= has_sum(operation);
		if (!needs(operation, COLLECTIVE_ROOT_FIRST) || is_rooted_at(operation))
			learn_from(&all, collective, i);
	}
	*sum = all.clock;
	return right || !knows;
}

void ordering_members_there(struct ordering *ordering, const struct executed_collective *collective,
                            struct vector_clock *sum)
{
	for (uint32_t i = 0; sum && i < comm_places(collective->comm); i++) {
		const struct executed_operation *operation = collective->members[i];
		struct operation_order *order = operation ? order_of(operation) : NULL;
		const bool learns = order &&
		                    (is_for_all(operation) ||
		                     needs(operation, COLLECTIVE_ROOT_FIRST) != is_rooted_at(operation));

		if (order && !order->incoming.process)
			order->incoming = (struct ordered_moment){order->begin.process,
			                                          learns ? clock_keep(sum) : NULL, 0};
	}
	collective_freed(ordering, collective);
}

void ordering_all_here(struct ordering *ordering, struct executed_collective *collective)
{
	collective_all_there(ordering, collective);
	collective_freed(ordering, collective);
}
