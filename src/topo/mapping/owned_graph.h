/* Graphs with memory of their own: induced subgraphs, and the graph of an algorithm. False: out of memory. */
#ifndef TARRY_TOPO_MAPPING_OWNED_GRAPH_H
#define TARRY_TOPO_MAPPING_OWNED_GRAPH_H

#include "topo/mapping/mapping.h"
#include "topo/mapping/partition.h"

struct owned_graph {
	struct weighted_graph graph;
	int64_t *offsets;
	int32_t *targets;
	double *weights;
};

/* The subgraph of the `count` vertices in `vertices`. numbers[v] is the index of v there; entries of other vertices
 * may have any value. */
bool owned_graph_induced(struct owned_graph *owned, const struct weighted_graph *graph,
                         const int32_t *vertices, int32_t count, const int32_t *numbers);
/* The graph of an algorithm with `size` places. */
bool owned_graph_of(struct owned_graph *owned, enum mapping_graph graph, int size);
void owned_graph_release(struct owned_graph *owned);

#endif
