/* The levels of a machine as the processes of a communicator see them: switches, nodes, sockets.
 *
 *	struct rank_tree tree = {.levels = 2, .node_level = 1, .layouts = {switches, nodes}, .costs = {24, 16}};
 *
 * Each level is a layout: it says which group a rank is in. Groups of an inner level lie in one group of each outer level, and are numbered in the order of
 * their lowest ranks, as in every layout. A unit that crosses groups costs what the outermost level costs at which they differ. The tree does
 * not own the tables of its layouts. */
#ifndef TARRY_TOPO_MAPPING_TREE_H
#define TARRY_TOPO_MAPPING_TREE_H

#include "topo/mapping/layout.h"

enum { TREE_LEVELS_MOST = 6 };

struct rank_tree {
	int levels;                              /* at least 1 */
	int node_level;                          /* which of them are the nodes */
	struct layout layouts[TREE_LEVELS_MOST]; /* outermost first */
	double costs[TREE_LEVELS_MOST];          /* do not grow inwards */
};

/* Nodes alone. */
struct rank_tree rank_tree_of_nodes(const struct layout *layout);

#endif
