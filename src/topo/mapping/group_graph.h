/* An induced subgraph: some vertices of a graph and the edges between them. */
#ifndef TARRY_TOPO_MAPPING_GROUP_GRAPH_H
#define TARRY_TOPO_MAPPING_GROUP_GRAPH_H

#include "topo/mapping/partition.h"

struct group_graph {
	struct weighted_graph graph;
	int64_t *offsets;
	int32_t *targets;
	double *weights;
};

/* Takes the `count` vertices in `vertices`. numbers[v] is the index of v there; entries of other vertices
 * may have any value. False: out of memory. */
bool group_graph_make(struct group_graph *group, const struct weighted_graph *graph, const int32_t *vertices,
                      int32_t count, const int32_t *numbers);
void group_graph_release(struct group_graph *group);

#endif
