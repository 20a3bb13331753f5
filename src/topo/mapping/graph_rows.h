/* The graph of an algorithm as an explicit weighted_graph, for partition.h. */
#ifndef TARRY_TOPO_MAPPING_GRAPH_ROWS_H
#define TARRY_TOPO_MAPPING_GRAPH_ROWS_H

#include "topo/mapping/mapping.h"
#include "topo/mapping/partition.h"

struct graph_rows {
	struct weighted_graph graph;
	int64_t *offsets;
	int32_t *targets;
	double *weights;
};

/* False: out of memory. */
bool graph_rows_make(struct graph_rows *rows, enum mapping_graph graph, int size);
void graph_rows_release(struct graph_rows *rows);

#endif
