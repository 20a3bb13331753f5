/* A graph in two sides of exact weight: the steps of partition.h. */
#ifndef TARRY_TOPO_MAPPING_BISECTION_H
#define TARRY_TOPO_MAPPING_BISECTION_H

#include <stdbool.h>
#include <stdint.h>

/* Rows of neighbours as in struct weighted_graph, in one block of memory, and what each vertex weighs. */
struct bisection_graph {
	int32_t vertices;
	int64_t *offsets;
	int32_t *targets;
	double *weights;
	int32_t *loads;   /* how many vertices of the original graph each one stands for */
	int32_t heaviest; /* the greatest load */
	void *memory;
};

bool bisection_graph_make(struct bisection_graph *graph, int32_t vertices, int64_t edges);
void bisection_graph_release(struct bisection_graph *graph);

/* Random numbers, the same on every machine. */
struct draw {
	uint64_t state; /* starts as any seed but 0 */
	int starts; /* from how many vertices sides are grown: the best is kept. Few of them are more various results */
	bool by_count; /* sides of equally many parts, not of equally many vertices */
};

uint32_t draw_below(struct draw *draw, uint32_t end);

/* Moves vertices between sides (0, 1) so that side 0 weighs `target`, as near as loads allow, and less is cut. Returns what is cut, or
   -1 without memory. */
double bisection_refine(const struct bisection_graph *graph, int64_t target, uint8_t *side);

/* Finds sides. With loads of 1, side 0 weighs exactly `target`. Returns what is cut, or -1 without memory. */
double bisection_make(const struct bisection_graph *graph, int64_t target, struct draw *draw, uint8_t *side);

#endif
