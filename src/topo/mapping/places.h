/* Assigns places of an algorithm to nodes, for mapping.h. A division has the node of each place. */
#ifndef TARRY_TOPO_MAPPING_PLACES_H
#define TARRY_TOPO_MAPPING_PLACES_H

#include "topo/mapping/mapping.h"
#include "topo/mapping/workers.h"

/* Number of places below `size` that equal `residue` modulo 2^level. */
static inline int places_of_class(int size, int residue, int level)
{
	return residue < size ? ((size - residue - 1) >> level) + 1 : 0;
}

/* The place to which step `distance` (a power of two) sends, or -1, and the units sent. */
int graph_peer(enum mapping_graph graph, int size, int place, int distance);
int graph_units(enum mapping_graph graph, int size, int distance);

/* Units between places on different nodes. Samples large graphs, in the same way on all processes. */
int64_t division_cut(enum mapping_graph graph, int size, const int *node_of);

/* Fills nodes of exactly `sizes` places from few classes of residues modulo powers of two. False: out of memory. */
bool pack_classes(int size, int nodes, const int *sizes, int *node_of);

/* Swaps places between nodes as long as the cut shrinks; compares all pairs. False: out of memory. */
bool swap_places(enum mapping_graph graph, int size, int nodes, int *node_of);

/* Larger graphs are not stored edge by edge. */
enum { PLACES_WITH_EDGES = 16384 };

/* Divides places among nodes of exactly `sizes`, by all workers together. `progression` describes the
 * result if nodes have consecutive places of one; otherwise its stride is 0. False: out of memory. */
bool divide_places(enum mapping_graph graph, int size, int nodes, const int *sizes,
                   const struct mapping_workers *workers, int *node_of, struct progression *progression);

/* The innermost group of each place in a tree of several levels, by all workers together. False: out of memory. */
bool divide_tree(enum mapping_graph graph, const struct rank_tree *tree,
                 const struct mapping_workers *workers, int *leaf_of);

#endif
