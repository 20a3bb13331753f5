/* Some vertices of a graph and what is between them, as a graph of its own. */
#ifndef TARRY_TOPO_MAPPING_GROUP_GRAPH_H
#define TARRY_TOPO_MAPPING_GROUP_GRAPH_H

#include "topo/mapping/partition.h"

struct group_graph {
	struct weighted_graph graph;
	int64_t *offsets;
	int32_t *targets;
	double *weights;
};

/* Of the `count` vertices in `vertices`, whose numbers there are in `numbers`; others have numbers that are wrong there. False: no memory. */
bool group_graph_make(struct group_graph *group, const struct weighted_graph *graph, const int32_t *vertices,
                      int32_t count, const int32_t *numbers);
void group_graph_release(struct group_graph *group);

#endif
