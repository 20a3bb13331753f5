#include "check/execution/wait_graph.h"

#include "base/memory.h"

uint32_t wait_graph_node(struct wait_graph *graph, bool is_free)
{
	array_add(&graph->nodes, (struct wait_node){.is_free = is_free});
	return (uint32_t)graph->nodes.count - 1;
}

uint32_t wait_graph_group(struct wait_graph *graph, uint32_t node, bool is_any)
{
	array_add(&graph->groups, (struct wait_group){.node = node, .is_any = is_any});
	return (uint32_t)graph->groups.count - 1;
}

void wait_graph_member(struct wait_graph *graph, uint32_t group, uint32_t node)
{
	array_add(&graph->members, (struct wait_member){group, node});
	graph->groups.items[group].member_count++;
}

static void free_index(struct wait_graph *graph)
{
	free(graph->by_node);
	free(graph->by_group);
	free(graph->groups_of);
	graph->by_node = graph->by_group = graph->groups_of = NULL;
}

void wait_graph_clear(struct wait_graph *graph)
{
	graph->nodes.count = graph->groups.count = graph->members.count = 0;
	free_index(graph);
}

void wait_graph_release(struct wait_graph *graph)
{
	free_index(graph);
	array_release(&graph->nodes);
	array_release(&graph->groups);
	array_release(&graph->members);
}

/* Counting sort of members by node and by group. */
static void make_index(struct wait_graph *graph)
{
	struct wait_node *nodes = graph->nodes.items;
	struct wait_group *groups = graph->groups.items;
	uint32_t named = 0, grouped = 0, owned = 0;

	free_index(graph);
	graph->by_node = memory_new(graph->members.count + 1, sizeof *graph->by_node);
	graph->by_group = memory_new(graph->members.count + 1, sizeof *graph->by_group);
	graph->groups_of = memory_new(graph->groups.count + 1, sizeof *graph->groups_of);
	for (size_t i = 0; i < graph->nodes.count; i++)
		nodes[i].count = nodes[i].group_count = 0;
	for (size_t i = 0; i < graph->members.count; i++)
		nodes[graph->members.items[i].node].count++;
	for (size_t i = 0; i < graph->groups.count; i++) {
		nodes[groups[i].node].group_count++;
		groups[i].first = grouped;
		grouped += groups[i].member_count;
		groups[i].member_count = 0;
	}
	for (size_t i = 0; i < graph->nodes.count; i++) {
		nodes[i].first = named;
		nodes[i].first_group = owned;
		named += nodes[i].count;
		owned += nodes[i].group_count;
		nodes[i].count = nodes[i].group_count = 0;
	}
	for (uint32_t i = 0; i < graph->members.count; i++) {
		struct wait_node *node = &nodes[graph->members.items[i].node];
		struct wait_group *group = &groups[graph->members.items[i].group];
		graph->by_node[node->first + node->count++] = i;
		graph->by_group[group->first + group->member_count++] = i;
	}
	for (uint32_t i = 0; i < graph->groups.count; i++) {
		struct wait_node *node = &nodes[groups[i].node];
		graph->groups_of[node->first_group + node->group_count++] = i;
	}
}

/* One of its members is free now. */
static void satisfy(struct wait_graph *graph, struct wait_group *group, uint32_t *queue, uint32_t *count)
{
	struct wait_node *owner = &graph->nodes.items[group->node];

	if (!group->missing)
		return;
	group->missing = group->is_any ? 0 : group->missing - 1;
	if (!group->missing && !--owner->missing && !owner->is_free) {
		owner->is_free = true;
		queue[(*count)++] = group->node;
	}
}

void wait_graph_solve(struct wait_graph *graph)
{
	uint32_t *queue = memory_new(graph->nodes.count + 1, sizeof *queue), count = 0;
	struct wait_node *nodes = graph->nodes.items;

	make_index(graph);
	for (size_t i = 0; i < graph->nodes.count; i++)
		nodes[i].missing = 0;
	for (size_t i = 0; i < graph->groups.count; i++) {
		struct wait_group *group = &graph->groups.items[i];
		group->missing = group->is_any ? 1 : group->member_count;
		nodes[group->node].missing += group->missing != 0;
	}
	for (uint32_t i = 0; i < graph->nodes.count; i++)
		if (nodes[i].is_free || !nodes[i].missing) {
			nodes[i].is_free = true;
			queue[count++] = i;
		}
	for (uint32_t done = 0; done < count; done++) {
		const struct wait_node *node = &nodes[queue[done]];
		for (uint32_t i = 0; i < node->count; i++) {
			uint32_t member = graph->by_node[node->first + i];
			satisfy(graph, &graph->groups.items[graph->members.items[member].group], queue,
			        &count);
		}
	}
	free(queue);
}

/* The core. Each stuck node has a reason: a member of a group that needs all, or a whole "any" group. A set
 * of nodes is closed if it contains a reason of each of its nodes. */

struct wait_walk {
	const struct wait_graph *graph;
	uint32_t *reason;  /* of a node: position of its first reason in `by_group` */
	uint32_t *needs;   /* and their number; UINT32_MAX: not visited */
	uint32_t *visited; /* nodes in the order of the walk */
	uint32_t count;
	uint32_t *at, *low, *stack, *path; /* of the search for components */
};

static uint32_t member_node(const struct wait_graph *graph, uint32_t position)
{
	return graph->members.items[graph->by_group[position]].node;
}

static bool is_visited(const struct wait_walk *walk, uint32_t node)
{
	return walk->needs[node] != UINT32_MAX;
}

/* The reason with the fewest new nodes. */
static void choose_reason(struct wait_walk *walk, uint32_t at)
{
	const struct wait_graph *graph = walk->graph;
	const struct wait_node *node = &graph->nodes.items[at];
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < node->group_count && best; i++) {
		const struct wait_group *group =
			&graph->groups.items[graph->groups_of[node->first_group + i]];
		if (!group->missing)
			continue;
		if (group->is_any) {
			uint32_t cost = 0; /* members that the walk has not seen yet */
			for (uint32_t j = 0; j < group->member_count; j++)
				cost += !is_visited(walk, member_node(graph, group->first + j));
			if (cost < best) {
				best = cost;
				walk->reason[at] = group->first;
				walk->needs[at] = group->member_count;
			}
			continue;
		}
		for (uint32_t j = 0; j < group->member_count && best; j++) {
			uint32_t other = member_node(graph, group->first + j);
			uint32_t cost = !is_visited(walk, other);
			if (wait_graph_is_stuck(graph, other) && cost < best) {
				best = cost;
				walk->reason[at] = group->first + j;
				walk->needs[at] = 1;
			}
		}
	}
}

static void visit(struct wait_walk *walk, uint32_t node)
{
	if (is_visited(walk, node))
		return;
	walk->needs[node] = 0;
	walk->visited[walk->count++] = node;
}

/* Tarjan's algorithm along the reasons, without recursion. The first complete component has no edges to
 * others. It is the top of `stack`, from its first node on; returns its size. */
static uint32_t last_component(struct wait_walk *walk, uint32_t start, uint32_t **component)
{
	uint32_t depth = 0, stacked = 0, number = 0;
	uint32_t *next = walk->path +
	                 walk->graph->nodes.count; /* number of followed reasons, for each node on the path */

	walk->path[depth] = start;
	next[depth++] = 0;
	walk->at[start] = walk->low[start] = ++number;
	walk->stack[stacked++] = start;
	for (;;) {
		uint32_t node = walk->path[depth - 1];
		if (next[depth - 1] < walk->needs[node]) {
			uint32_t other = member_node(walk->graph, walk->reason[node] + next[depth - 1]++);
			if (!walk->at[other]) {
				walk->path[depth] = other;
				next[depth++] = 0;
				walk->at[other] = walk->low[other] = ++number;
				walk->stack[stacked++] = other;
			} else if (walk->at[other] < walk->low[node]) {
				walk->low[node] = walk->at[other];
			}
			continue;
		}
		if (walk->low[node] == walk->at[node]) {
			uint32_t size = 1;
			while (walk->stack[stacked - size] != node)
				size++;
			*component = walk->stack + stacked - size;
			return size;
		}
		depth--;
		if (walk->low[node] < walk->low[walk->path[depth - 1]])
			walk->low[walk->path[depth - 1]] = walk->low[node];
	}
}

/* Breadth-first search from `start` to itself, along waits for a single node; at most `most` nodes. Returns
 * the length of the cycle; 0: none is that short. `cycle` gets the nodes in order. */
static uint32_t shortest_cycle(struct wait_walk *walk, uint32_t start, uint32_t most, uint32_t *cycle)
{
	const struct wait_graph *graph = walk->graph;
	uint32_t *queue = walk->stack, *before = walk->low, *depth = walk->at, count = 0, found = 0;

	queue[count++] = start;
	depth[start] = 1;
	for (uint32_t done = 0; done < count && !found && depth[queue[done]] <= most; done++) {
		const struct wait_node *node = &graph->nodes.items[queue[done]];
		for (uint32_t i = 0; i < node->group_count && !found; i++) {
			const struct wait_group *group =
				&graph->groups.items[graph->groups_of[node->first_group + i]];
			for (uint32_t j = 0; j < group->member_count && !found; j++) {
				uint32_t other = member_node(graph, group->first + j);
				/* True if the node can wait for `other` alone. */
				if (!group->missing || (group->is_any && group->member_count != 1) ||
				    !wait_graph_is_stuck(graph, other))
					continue;
				if (other == start) {
					found = depth[queue[done]];
					for (uint32_t k = found, at = queue[done]; k-- > 0; at = before[at])
						cycle[k] = at;
				} else if (!depth[other]) {
					depth[other] = depth[queue[done]] + 1;
					before[other] = queue[done];
					queue[count++] = other;
				}
			}
		}
	}
	for (uint32_t i = 0; i < count; i++)
		depth[queue[i]] = 0;
	return found;
}

uint32_t wait_graph_knot(const struct wait_graph *graph, uint32_t node, uint32_t *knot, uint32_t room)
{
	enum { STARTS = 16, CYCLE_MAX = 4096 };
	const size_t count = graph->nodes.count;
	uint32_t *component, *shorter, size, best, *memory;
	struct wait_walk walk;

	if (!wait_graph_is_stuck(graph, node))
		return 0;
	memory = memory_new(9 * count + 1, sizeof *memory);
	walk = (struct wait_walk){.graph = graph,
	                          .reason = memory,
	                          .needs = memory + count,
	                          .visited = memory + 2 * count,
	                          .at = memory + 3 * count,
	                          .low = memory + 4 * count,
	                          .stack = memory + 5 * count,
	                          .path = memory + 6 * count}; /* and the same for their positions */
	memset(walk.needs, 0xff, count * sizeof *walk.needs);
	visit(&walk, node);
	for (uint32_t done = 0; done < walk.count; done++) {
		uint32_t at = walk.visited[done];
		choose_reason(&walk, at);
		for (uint32_t i = 0; i < walk.needs[at]; i++)
			visit(&walk, member_node(graph, walk.reason[at] + i));
	}
	size = best = last_component(&walk, node, &component);
	/* The search below needs this memory: move the result out of its way. */
	memcpy(walk.visited, component, size * sizeof *component);
	memset(walk.at, 0, graph->nodes.count * sizeof *walk.at);
	component = walk.visited;
	shorter = walk.path;
	for (uint32_t i = 0; i < size && i < STARTS && best > 1 && best <= CYCLE_MAX; i++) {
		uint32_t found = shortest_cycle(&walk, component[i], best - 1, shorter);
		if (found && found < best) {
			best = found;
			memcpy(walk.path + graph->nodes.count, shorter, best * sizeof *shorter);
		}
	}
	if (best < size)
		component = walk.path + graph->nodes.count;
	memcpy(knot, component, (best < room ? best : room) * sizeof *knot);
	free(walk.reason);
	return best;
}
