/* Bisection of a graph into sides of exact weight; used by partition.h. */
#ifndef TARRY_TOPO_MAPPING_BISECTION_H
#define TARRY_TOPO_MAPPING_BISECTION_H

#include <stdbool.h>
#include <stdint.h>

/* A weighted_graph in one block of memory, with a load for each vertex. */
struct bisection_graph {
	int32_t vertices;
	int64_t *offsets;
	int32_t *targets;
	double *weights;
	int32_t *loads;   /* number of original vertices in each vertex */
	int32_t heaviest; /* largest load */
	void *memory;
};

bool bisection_graph_make(struct bisection_graph *graph, int32_t vertices, int64_t edges);
void bisection_graph_release(struct bisection_graph *graph);

/* Pseudo-random numbers, the same on every machine, and options of a bisection. */
struct rng {
	uint64_t state; /* any seed but 0 */
	int starts; /* number of seeds from which sides are grown; the best is kept, so few of them give more variety */
	bool by_count; /* balance the number of parts, not of vertices */
};

uint32_t rng_below(struct rng *rng, uint32_t end);

/* Moves vertices between sides (0, 1) until side 0 has weight `target`, as exactly as loads allow, and the
 * cut is small. Returns the cut, or -1 if out of memory. */
double bisection_refine(const struct bisection_graph *graph, int64_t target, uint8_t *side);

/* Finds sides. With loads of 1, side 0 has exactly `target` vertices. Returns the cut, or -1 if out of memory. */
double bisection_make(const struct bisection_graph *graph, int64_t target, struct rng *rng, uint8_t *side);

#endif
