/* The levels of a machine for the processes of a communicator: switches, nodes, sockets.
 *
 *	struct rank_tree tree = {.levels = 2, .node_level = 1, .layouts = {switches, nodes}, .costs = {24, 16}};
 *
 * Each level is a layout with the group of each rank. Groups nest, and are numbered by their lowest rank. A unit between two
 * groups costs as much as the outermost level at which they differ. The tree borrows the tables of its layouts. */
#ifndef TARRY_TOPO_MAPPING_TREE_H
#define TARRY_TOPO_MAPPING_TREE_H

#include "topo/mapping/layout.h"

enum { TREE_LEVELS_MAX = 6 };

struct rank_tree {
	int levels;                             /* at least 1 */
	int node_level;                         /* index of the node level */
	struct layout layouts[TREE_LEVELS_MAX]; /* outermost first */
	double costs[TREE_LEVELS_MAX];          /* must not grow inwards */
};

/* A tree with the node level only. */
struct rank_tree rank_tree_of_nodes(const struct layout *layout);

#endif
