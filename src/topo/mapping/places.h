/* Nodes for the places of an algorithm: the steps of mapping.h. A division says of each place of a graph which node it is on. */
#ifndef TARRY_TOPO_MAPPING_PLACES_H
#define TARRY_TOPO_MAPPING_PLACES_H

#include "topo/mapping/mapping.h"
#include "topo/mapping/workers.h"

/* Places below `size` that are `residue` modulo 2^level. */
static inline int places_of_class(int size, int residue, int level)
{
	return residue < size ? ((size - residue - 1) >> level) + 1 : 0;
}

/* The place to which step `distance` (a power of two) sends, -1 if none, and how much. */
int graph_peer(enum mapping_graph graph, int size, int place, int distance);
int graph_units(enum mapping_graph graph, int size, int distance);

/* Units between places on different nodes. Of large graphs a sample, the same on all processes. */
int64_t division_cut(enum mapping_graph graph, int size, const int *node_of);

/* Gives nodes of exactly `sizes` places, each from few classes of residues modulo powers of two. False: no memory. */
bool pack_classes(int size, int nodes, const int *sizes, int *node_of);

/* Swaps places between nodes as long as less is cut; compares all places with each other. False: no memory. */
bool swap_places(enum mapping_graph graph, int size, int nodes, int *node_of);

/* Above so many, graphs are not written down edge by edge. */
enum { PLACES_WITH_EDGES = 16384 };

/* A division into nodes of exactly `sizes` places, by all workers together. If nodes have consecutive places of a progression, it is in `progression`,
   otherwise that has a stride of 0. False: no memory. */
bool divide_places(enum mapping_graph graph, int size, int nodes, const int *sizes,
                   const struct mapping_workers *workers, int *node_of, struct progression *progression);

/* The innermost group of each place of a tree with several levels, by all workers together. False: no memory. */
bool divide_tree(enum mapping_graph graph, const struct rank_tree *tree,
                 const struct mapping_workers *workers, int *leaf_of);

#endif
