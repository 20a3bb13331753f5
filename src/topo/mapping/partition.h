/* Partitions a graph into parts of exactly given sizes with a small cut, and places vertices on the slots of a tree.
 *
 * Vertices are processes, weights their traffic, parts the nodes of a machine. A node cannot take more processes than it has room
 * for, so sizes are exact; usual partitioners only balance them.
 *
 *	int32_t sizes[] = {8, 8, 4}, part_of[20];
 *
 *	if (!partition_graph(&graph, 3, sizes, part_of))
 *		out of memory
 *
 * The method is multilevel recursive bisection with exact sizes, then refinement of pairs of parts (docs/mapping.md). Results are
 * the same on every machine. If out of memory, functions return false and leave results undefined. */
#ifndef TARRY_TOPO_MAPPING_PARTITION_H
#define TARRY_TOPO_MAPPING_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

/* Compressed rows: the neighbours of v are targets[offsets[v]] to targets[offsets[v + 1] - 1]. Each edge is in the rows of both
 * ends, once, with the same weight, which is not negative. No vertex is its own neighbour. */
struct weighted_graph {
	int32_t vertices;
	const int64_t *offsets; /* vertices + 1 entries */
	const int32_t *targets;
	const double *weights;
};

/* The sum of `sizes` is the number of vertices; a size may be 0. */
bool partition_graph(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes,
                     int32_t *part_of);

/* The best of at most `tries` different starts. */
bool partition_graph_tries(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes, int tries,
                           int32_t *part_of);

/* One of these starts. */
bool partition_graph_try(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes, int number,
                         int32_t *part_of);

/* Swaps vertices between parts until no pair of parts improves. */
bool partition_refine(const struct weighted_graph *graph, int32_t parts, int32_t *part_of);

/* Total weight of edges between parts. */
double partition_cut(const struct weighted_graph *graph, const int32_t *part_of);

/* The leaves of a machine: at level l (outermost first) slot s belongs to group group_of[l][s]. Groups are
 * runs of slots in ascending order and nest. The distance of two slots is costs[l] of the outermost level
 * at which their groups differ, or 0. Costs do not grow inwards. */
struct slot_tree {
	int32_t slots;
	int levels;
	const int32_t *const *group_of;
	const double *costs;
};

/* Gives each vertex its own slot, level by level from the outermost. There are as many vertices as slots. */
bool placement_make(const struct weighted_graph *graph, const struct slot_tree *tree, int32_t *slot_of);

/* Swaps vertices as long as the sum of weight × distance decreases. */
bool placement_refine(const struct weighted_graph *graph, const struct slot_tree *tree, int32_t *slot_of);

/* Sum of weight × distance over all edges. */
double placement_cost(const struct weighted_graph *graph, const struct slot_tree *tree,
                      const int32_t *slot_of);

#endif
