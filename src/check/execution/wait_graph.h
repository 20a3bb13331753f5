/* Finds the nodes that can never continue, in an AND/OR wait-for graph. A node is free, or needs all of its
 * groups. An "any" group needs one of its members, other groups need all. Nodes not reachable from free nodes
 * are stuck for ever. An "any" group without members is never satisfied.
 *
 *	struct wait_graph graph = {0};
 *	uint32_t a = wait_graph_node(&graph, false), b = …;
 *	uint32_t group = wait_graph_group(&graph, a, true);
 *	wait_graph_member(&graph, group, b);
 *	wait_graph_solve(&graph);                        linear in nodes, groups and members
 *	wait_graph_is_stuck(&graph, a);
 *	wait_graph_release(&graph);
 *
 * Nodes may represent processes, threads, or anything awaited by several of them, such
 * as a collective call. */
#ifndef TARRY_CHECK_EXECUTION_WAIT_GRAPH_H
#define TARRY_CHECK_EXECUTION_WAIT_GRAPH_H

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

struct wait_group {
	uint32_t node; /* the node that needs it */
	bool is_any;
	uint32_t missing; /* members that are not free yet; with `is_any`, 0 as soon as one is free */
	uint32_t member_count;
	uint32_t first; /* of its members in `by_group` */
};

struct wait_member {
	uint32_t group, node;
};

struct wait_node {
	bool is_free;
	uint32_t missing;                  /* groups that are not satisfied */
	uint32_t first, count;             /* of the members that refer to it, in `by_node` */
	uint32_t first_group, group_count; /* of its groups, in `groups_of` */
};

struct wait_graph {
	ARRAY(struct wait_node) nodes;
	ARRAY(struct wait_group) groups;
	ARRAY(struct wait_member) members;
	/* After solving: positions in `members` by their node and by their group, and
	 * groups by their node. */
	uint32_t *by_node, *by_group, *groups_of;
};

uint32_t wait_graph_node(struct wait_graph *graph, bool is_free);
uint32_t wait_graph_group(struct wait_graph *graph, uint32_t node, bool is_any);
void wait_graph_member(struct wait_graph *graph, uint32_t group, uint32_t node);
void wait_graph_solve(struct wait_graph *graph);
static inline bool wait_graph_is_stuck(const struct wait_graph *graph, uint32_t node)
{
	return !graph->nodes.items[node].is_free;
}
/* A small set of stuck nodes that wait only for each other and that `node` waits for or belongs to: the core
 * to show. In the order of a walk along the waits, so that neighbours wait for each other where possible.
 * Returns their number; `knot` gets the first `room` of them. */
uint32_t wait_graph_knot(const struct wait_graph *graph, uint32_t node, uint32_t *knot, uint32_t room);
void wait_graph_clear(struct wait_graph *graph);
void wait_graph_release(struct wait_graph *graph);

#endif
