/* The traffic between ranks, for their placement: one edge for each pair of ranks that exchange
 * data in any direction.
 *
 *	struct traffic_graph *graph = traffic_graph_new(reader, figures, flow, processes, count);
 *	for (size_t i = 0; i < graph->edge_count; i++)
 *		graph->edges[i].a, .b, .bytes, .messages
 *	traffic_graph_free(graph);
 *
 * Messages count with their actual size. For collective operations the algorithm of the library is unknown,
 * so they count with the minimum volume: between its two ends where these are known, otherwise evenly between
 * all members of the communicator. Traffic that is even between all ranks of the job costs the same for any
 * placement: it is in `everywhere` and in no edge. docs/map.md has the volume of each operation. */
#ifndef TARRY_ANALYSIS_MODEL_TRAFFIC_GRAPH_H
#define TARRY_ANALYSIS_MODEL_TRAFFIC_GRAPH_H

#include "analysis/model/data_flow.h"

/* Larger communicators count between members at distances 1, 2, 4, ... */
enum { EVEN_PAIRS_MAX = 64 };

struct traffic_amount {
	double bytes, messages;
};

struct traffic_edge {
	uint32_t a, b; /* ranks, a < b */
	double bytes, messages;
};

struct traffic_graph {
	uint32_t ranks;
	struct traffic_edge *edges;
	size_t edge_count, edge_room;
	struct traffic_amount everywhere;            /* evenly between all pairs */
	struct traffic_amount messages, collectives; /* in all; one-sided accesses are messages */
	double left_out_bytes; /* with processes that are not ranks here, and between groups */
};

/* `processes` are those of the ranks, by index in the reader. */
struct traffic_graph *traffic_graph_new(const struct reader *reader, const struct figures *figures,
                                        const struct data_flow *flow, const uint32_t *processes,
                                        uint32_t count);
void traffic_graph_free(struct traffic_graph *graph);

#endif
