/* Graphs in parts of exactly given sizes, with little weight between parts; and vertices on the slots of a tree.
 *
 * Vertices are processes, weights the traffic between them, parts the nodes of a machine. A node has room for so many processes and
 * no more, so that sizes are kept exactly: partitioners that only balance leave some nodes too full.
 *
 *	int32_t sizes[] = {8, 8, 4}, part_of[20];
 *
 *	if (!partition_graph(&graph, 3, sizes, part_of))
 *		no memory
 *
 * The method is multilevel recursive bisection with exact sizes, then refinement of pairs of parts (docs/mapping.md). The same
 * graph gives the same parts on every machine. Functions return false without memory, and then leave results undefined.
 */
#ifndef TARRY_TOPO_MAPPING_PARTITION_H
#define TARRY_TOPO_MAPPING_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

/* Rows of neighbours: those of vertex v are targets[offsets[v]] .. targets[offsets[v + 1] - 1]. Each edge is in the rows of both
   its ends with the same weight, once; no vertex is its own neighbour. Weights are not negative. */
struct weighted_graph {
	int32_t vertices;
	const int64_t *offsets; /* vertices + 1 */
	const int32_t *targets;
	const double *weights;
};

/* `sizes` add up to the number of vertices; a size may be 0. */
bool partition_graph(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes,
                     int32_t *part_of);

/* The same with at most `tries` different starts, of which the best is kept. */
bool partition_graph_tries(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes, int tries,
                           int32_t *part_of);

/* One of these starts alone. */
bool partition_graph_try(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes, int number,
                         int32_t *part_of);

/* Exchanges vertices between parts, which keep their sizes, until no pair of parts gets better. */
bool partition_refine(const struct weighted_graph *graph, int32_t parts, int32_t *part_of);

/* Weight of all edges between parts. */
double partition_cut(const struct weighted_graph *graph, const int32_t *part_of);

/* The leaves of a machine: slot s belongs to group group_of[l][s] at level l, outermost level first. Groups are runs of slots, are
   numbered in ascending order, and end where groups of outer levels end. Two slots are costs[l] apart if l is the outermost level
   at which their groups differ, and 0 if there is none. Costs do not grow inwards. */
struct slot_tree {
	int32_t slots;
	int levels;
	const int32_t *const *group_of;
	const double *costs;
};

/* Gives each vertex a slot of its own, level after level from the outermost: as many vertices as slots. */
bool placement_make(const struct weighted_graph *graph, const struct slot_tree *tree, int32_t *slot_of);

/* Swaps vertices of a given placement as long as weight × distance goes down. */
bool placement_refine(const struct weighted_graph *graph, const struct slot_tree *tree, int32_t *slot_of);

/* Weight × distance of all edges. */
double placement_cost(const struct weighted_graph *graph, const struct slot_tree *tree,
                      const int32_t *slot_of);

#endif
