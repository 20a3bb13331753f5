#include "check/execution/blocked_graph.h"

#include "calls/ids.h"

bool thread_is_in_finalize(const struct executed_thread *thread)
{
	return thread->call && thread->call->function == CALL_Finalize;
}

bool process_has_left(const struct executed_process *process)
{
	return process->has_ended && process->end == END_FINALIZED;
}

int compare_executed_processes(const void *a, const void *b)
{
	const struct analysed_process *x = (*(struct executed_process *const *)a)->known;
	const struct analysed_process *y = (*(struct executed_process *const *)b)->known;

	return x->world != y->world ? (x->world > y->world) - (x->world < y->world)
	                            : (x->rank > y->rank) - (x->rank < y->rank);
}

static uint32_t add_node(struct blocked_graph *graph, struct blocked_node node)
{
	array_add(&graph->nodes, node);
	return wait_graph_node(&graph->waits, node.kind == NODE_FREE);
}

/* The free node represents all threads that can continue, and unknown processes. */
enum { FREE_NODE = 0 };

static uint32_t *number_of(struct blocked_graph *graph, const void *whose, uint64_t which)
{
	return map_put(&graph->numbers, map_key((uintptr_t)whose, which));
}

static uint32_t process_node(const struct blocked_graph *graph, const struct executed_process *process)
{
	const uint32_t *number = process ? map_find(&graph->numbers, map_key((uintptr_t)process, 0)) : NULL;

	return number ? *number : FREE_NODE;
}

/* The process has finalized, and all its steps were executed. */
static bool process_is_complete(const struct executed_process *process)
{
	for (size_t i = 0; i < process->threads.count; i++) {
		const struct executed_thread *thread = process->threads.items[i];
		if (thread && thread->blocked != BLOCKED_NOT && !thread_is_in_finalize(thread))
			return false;
	}
	return process_has_left(process);
}

/* One node per blocked thread of a process. The process represents any thread that can act, or all of them
 * together. Other threads may have ended, or wait for these threads outside MPI: only the agent knows. */
static void add_process(struct blocked_graph *graph, struct executed_process *process)
{
	uint32_t first = (uint32_t)graph->nodes.count, blocked = 0, others = 0, number;
	uint32_t final = FREE_NODE;

	if (process->has_ended && !process_has_left(process))
		return;
	if (process_is_complete(process)) {
		number = add_node(graph, (struct blocked_node){.kind = NODE_ENDED, .process = process});
		/* An empty "any" group is never satisfied. */
		wait_graph_group(&graph->waits, number, true);
		*number_of(graph, process, 0) = number;
		return;
	}
	for (size_t i = 0; i < process->threads.count; i++) {
		struct executed_thread *thread = process->threads.items[i];
		if (!thread_is_blocked(thread, graph->seen)) {
			others += thread != NULL;
			continue;
		}
		number = add_node(graph, (struct blocked_node){
						 .kind = NODE_THREAD, .thread = thread, .process = process});
		blocked++;
		if (thread_is_in_finalize(thread))
			final = number;
	}
	for (uint32_t i = 0; i < blocked; i++)
		graph->nodes.items[first + i].has_others = others;
	if (final != FREE_NODE) {
		*number_of(graph, process, 0) = final;
	} else if (blocked == 1) {
		*number_of(graph, process, 0) = first;
	} else if (blocked) {
		uint32_t group;
		number = add_node(graph, (struct blocked_node){.kind = NODE_PROCESS, .process = process});
		group = wait_graph_group(&graph->waits, number, true);
		for (uint32_t i = 0; i < blocked; i++)
			wait_graph_member(&graph->waits, group, first + i);
		*number_of(graph, process, 0) = number;
	}
}

static void add_members(struct blocked_graph *graph, uint32_t group, const struct analysed_comm *comm,
                        uint32_t side, struct executed_operation *const *there)
{
	for (uint32_t rank = 0; rank < comm->size[side]; rank++)
		if (!there || !there[(side ? comm->size[0] : 0) + rank])
			wait_graph_member(
				&graph->waits, group,
				process_node(graph, execution_member(graph->execution, comm, side, rank)));
}

/* Waits for the members that have not made the collective call. */
static uint32_t collective_node(struct blocked_graph *graph, const struct executed_collective *collective)
{
	uint32_t *number = number_of(graph, collective, 1), node, group;

	if (*number != MAP_NONE)
		return *number;
	node = *number = add_node(graph, (struct blocked_node){.kind = NODE_COLLECTIVE});
	group = wait_graph_group(&graph->waits, node, false);
	add_members(graph, group, collective->comm, 0, collective->members);
	add_members(graph, group, collective->comm, 1, collective->members);
	return node;
}

static uint32_t anybody_node(struct blocked_graph *graph, const struct analysed_comm *comm, uint32_t side)
{
	uint32_t *number = number_of(graph, comm, 2 + side), node, group;

	if (*number != MAP_NONE)
		return *number;
	node = *number = add_node(graph, (struct blocked_node){.kind = NODE_ANYBODY});
	group = wait_graph_group(&graph->waits, node, true);
	add_members(graph, group, comm, side, NULL);
	return node;
}

static bool is_of_all(const struct executed_operation *operation)
{
	const struct executed_collective *collective = operation ? operation->collective : NULL;

	return collective && collective->members && !collective->is_neighbourhood &&
	       !collective_is_wrong(collective);
}

/* Groups of one thread. */
struct thread_groups {
	struct blocked_graph *graph;
	uint32_t node;
	ARRAY(uint32_t) numbers; /* + 1, by the group numbers of the execution */
	const struct executed_collective *last;
	uint32_t last_group;
};

static void add_wait(void *owner, struct executed_thread *thread, uint32_t group, bool is_one_of,
                     struct executed_process *process, const struct analysed_comm *comm, const char *why,
                     struct executed_operation *operation)
{
	struct thread_groups *groups = owner;
	struct blocked_graph *graph = groups->graph;
	uint32_t *known = &array_extend(&groups->numbers, (size_t)group + 1)->items[group];
	uint32_t node = FREE_NODE, number;

	(void)thread;
	(void)why;
	if (!*known)
		*known = wait_graph_group(&graph->waits, groups->node, is_one_of) + 1;
	number = *known - 1;
	if (is_of_all(operation)) {
		if (groups->last == operation->collective && groups->last_group == number)
			return;
		groups->last = operation->collective;
		groups->last_group = number;
		node = collective_node(graph, operation->collective);
	} else if (process) {
		node = process_node(graph, process);
	} else if (comm) {
		uint32_t own = operation && operation->call->member ? operation->call->member->side : 0;
		node = anybody_node(graph, comm, comm->size[0] && comm->size[1] ? !own : own);
	}
	wait_graph_member(&graph->waits, number, node);
}

/* For a thread that waits only for collective calls, the nodes of these calls contain the missing members. */
static bool add_collectives(struct blocked_graph *graph, uint32_t node, const struct executed_thread *thread)
{
	if (thread->blocked != BLOCKED_OPERATIONS || thread->is_any)
		return false;
	for (size_t i = 0; i < thread->waits.count; i++)
		if (operation_is_open(thread->waits.items[i]) && !is_of_all(thread->waits.items[i]))
			return false;
	for (size_t i = 0; i < thread->waits.count; i++)
		if (operation_is_open(thread->waits.items[i])) {
			uint32_t collective = collective_node(graph, thread->waits.items[i]->collective);
			wait_graph_member(&graph->waits, wait_graph_group(&graph->waits, node, false),
			                  collective);
		}
	return true;
}

static void order_processes(struct blocked_graph *graph)
{
	const struct execution *execution = graph->execution;

	if (execution->processes.count == graph->ordered.count)
		return;
	for (size_t i = graph->ordered.count; i < execution->processes.count; i++)
		array_add(&graph->ordered, execution->processes.items[i]);
	qsort(graph->ordered.items, graph->ordered.count, sizeof *graph->ordered.items,
	      compare_executed_processes);
}

void blocked_graph_build(struct blocked_graph *graph, struct execution *execution, uint64_t seen)
{
	struct thread_groups groups = {.graph = graph};
	size_t threads;

	wait_graph_clear(&graph->waits);
	graph->nodes.count = 0;
	map_release(&graph->numbers);
	graph->execution = execution;
	graph->seen = seen;
	add_node(graph, (struct blocked_node){.kind = NODE_FREE});
	order_processes(graph);
	for (size_t i = 0; i < graph->ordered.count; i++)
		add_process(graph, graph->ordered.items[i]);
	threads = graph->nodes.count;
	for (uint32_t i = 1; i < threads; i++) {
		if (graph->nodes.items[i].kind != NODE_THREAD ||
		    add_collectives(graph, i, graph->nodes.items[i].thread))
			continue;
		groups.node = i;
		groups.numbers.count = 0;
		groups.last = NULL;
		execution_waits(execution, graph->nodes.items[i].thread, add_wait, &groups);
	}
	array_release(&groups.numbers);
}

void blocked_graph_knot(const struct blocked_graph *graph, uint32_t number, struct blocked_nodes *knot)
{
	array_reserve(knot, graph->nodes.count);
	knot->count = wait_graph_knot(&graph->waits, number, knot->items, (uint32_t)graph->nodes.count);
}

/* True if `number` can never act, whatever the other nodes do: it has finalized, waits for a finalized
 * process, or could only be `itself`. */
static bool is_dead(const struct blocked_graph *graph, uint32_t number, uint32_t itself, int depth)
{
	const struct wait_node *node = &graph->waits.nodes.items[number];
	enum blocked_kind kind = graph->nodes.items[number].kind;

	if (kind == NODE_ENDED)
		return true;
	if (!depth || (kind != NODE_COLLECTIVE && kind != NODE_ANYBODY && number != itself))
		return false;
	for (uint32_t i = 0; i < node->group_count; i++) {
		uint32_t at = graph->waits.groups_of[node->first_group + i], dead = 0;
		const struct wait_group *group = &graph->waits.groups.items[at];
		for (uint32_t j = 0; j < group->member_count; j++) {
			uint32_t other =
				graph->waits.members.items[graph->waits.by_group[group->first + j]].node;
			dead += (group->is_any && other == itself) ||
			        is_dead(graph, other, itself, depth - 1);
		}
		if (group->is_any ? dead == group->member_count : dead != 0)
			return true;
	}
	return false;
}

bool blocked_graph_waits_for_ended(const struct blocked_graph *graph, uint32_t number)
{
	enum { DEPTH = 2 /* through a collective call or a communicator */ };

	return is_dead(graph, number, number, DEPTH);
}

void blocked_graph_release(struct blocked_graph *graph)
{
	wait_graph_release(&graph->waits);
	array_release(&graph->nodes);
	array_release(&graph->ordered);
	map_release(&graph->numbers);
}
