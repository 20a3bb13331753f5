#include "topo/mapping/partition.h"

#include "topo/mapping/anneal.h"
#include "topo/mapping/bisection.h"
#include "topo/mapping/grid.h"

#include <stdlib.h>
#include <string.h>

/* Small graphs are divided several times, until about EFFORT edges were visited; the best result is kept.
 * Then swaps are tried: per vertex, and at most. */
enum { EFFORT = 400000, TRIES_MAX = 64, STARTS = 8, SWAPS = 4000, SWAPS_MAX = 3000000 };

/* A subgraph that is to be divided; `names` are its vertices in the original graph. */
struct subgraph {
	struct bisection_graph graph;
	int32_t *names;
};

static void subgraph_release(struct subgraph *subgraph)
{
	bisection_graph_release(&subgraph->graph);
	free(subgraph->names);
}

/* The subgraph of one side; `numbers` has room for all vertices of the parent. */
static bool subgraph_make(struct subgraph *subgraph, const struct subgraph *whole, const uint8_t *side,
                          int which, int32_t *numbers)
{
	const struct bisection_graph *g = &whole->graph;
	int32_t count = 0;
	int64_t edges = 0;

	for (int32_t v = 0; v < g->vertices; v++)
		if (side[v] == which) {
			numbers[v] = count++;
			for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
				edges += side[g->targets[e]] == which;
		}
	subgraph->names = malloc((size_t)count * sizeof *subgraph->names + 1);
	if (!subgraph->names || !bisection_graph_make(&subgraph->graph, count, edges)) {
		free(subgraph->names);
		return false;
	}
	edges = 0;
	for (int32_t v = 0; v < g->vertices; v++) {
		if (side[v] != which)
			continue;
		for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
			if (side[g->targets[e]] == which) {
				subgraph->graph.targets[edges] = numbers[g->targets[e]];
				subgraph->graph.weights[edges++] = g->weights[e];
			}
		subgraph->names[numbers[v]] = whole->names[v];
		subgraph->graph.loads[numbers[v]] = 1;
		subgraph->graph.offsets[numbers[v] + 1] = edges;
	}
	return true;
}

static bool divide(const struct subgraph *subgraph, int32_t first, int32_t parts, const int32_t *sizes,
                   struct rng *rng, int32_t *part_of);

/* Divides both sides into their parts. */
static bool divide_sides(const struct subgraph *subgraph, int32_t first, const int32_t counts[2],
                         const int32_t *sizes, struct rng *rng, const uint8_t *side, int32_t *numbers,
                         int32_t *part_of)
{
	for (int which = 0; which < 2; which++) {
		int32_t begin = which ? counts[0] : 0;
		struct subgraph half;
		bool divided;
		if (!subgraph_make(&half, subgraph, side, which, numbers))
			return false;
		divided = divide(&half, first + begin, counts[which], sizes + begin, rng, part_of);
		subgraph_release(&half);
		if (!divided)
			return false;
	}
	return true;
}

/* The number of parts on the first side, and of their vertices: half of the parts, or the parts that come
 * closest to half of the vertices. With different sizes each choice finds results that the other misses. */
static int32_t first_side(int32_t vertices, int32_t parts, const int32_t *sizes, bool by_count,
                          int64_t *target)
{
	int32_t count = 1;

	for (*target = sizes[0]; count < parts - 1; count++) {
		int64_t more = *target + sizes[count];
		if (by_count ? count >= parts / 2
		             : llabs(2 * more - vertices) >= llabs(2 * *target - vertices))
			break;
		*target = more;
	}
	return count;
}

static bool divide(const struct subgraph *subgraph, int32_t first, int32_t parts, const int32_t *sizes,
                   struct rng *rng, int32_t *part_of)
{
	int32_t n = subgraph->graph.vertices, counts[2], *numbers;
	int64_t target;
	uint8_t *side;
	bool divided;

	if (parts == 1 || n == 0) {
		for (int32_t v = 0; v < n; v++)
			part_of[subgraph->names[v]] = first;
		return true;
	}
	counts[0] = first_side(n, parts, sizes, rng->by_count, &target);
	counts[1] = parts - counts[0];
	numbers = malloc((size_t)n * (sizeof *numbers + 1));
	if (!numbers)
		return false;
	side = (uint8_t *)(numbers + n);
	divided = bisection_make(&subgraph->graph, target, rng, side) >= 0 &&
	          divide_sides(subgraph, first, counts, sizes, rng, side, numbers, part_of);
	free(numbers);
	return divided;
}

static bool subgraph_copy(struct subgraph *subgraph, const struct weighted_graph *graph)
{
	int64_t edges = graph->offsets[graph->vertices];

	subgraph->names = malloc((size_t)graph->vertices * sizeof *subgraph->names + 1);
	if (!subgraph->names || !bisection_graph_make(&subgraph->graph, graph->vertices, edges)) {
		free(subgraph->names);
		return false;
	}
	memcpy(subgraph->graph.offsets, graph->offsets,
	       ((size_t)graph->vertices + 1) * sizeof *graph->offsets);
	memcpy(subgraph->graph.targets, graph->targets, (size_t)edges * sizeof *graph->targets);
	memcpy(subgraph->graph.weights, graph->weights, (size_t)edges * sizeof *graph->weights);
	for (int32_t v = 0; v < graph->vertices; v++) {
		subgraph->graph.loads[v] = 1;
		subgraph->names[v] = v;
	}
	return true;
}

double partition_cut(const struct weighted_graph *graph, const int32_t *part_of)
{
	double cut = 0;

	for (int32_t v = 0; v < graph->vertices; v++)
		for (int64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
			if (part_of[graph->targets[e]] != part_of[v])
				cut += graph->weights[e];
	return cut / 2;
}

/* The order of parts decides the bisections if sizes differ: as given in the first attempt, then random. */
static void order_parts(int32_t parts, const int32_t *sizes, int attempt, struct rng *rng, int32_t *order,
                        int32_t *ordered)
{
	for (int32_t p = 0; p < parts; p++)
		order[p] = p;
	for (int32_t p = parts - 1; p > 0 && attempt > 0; p--) {
		int32_t other = (int32_t)rng_below(rng, (uint32_t)p + 1), part = order[p];
		order[p] = order[other];
		order[other] = part;
	}
	for (int32_t p = 0; p < parts; p++)
		ordered[p] = sizes[order[p]];
}

/* The best partition so far, and the next attempt. */
struct best_partition {
	const struct weighted_graph *graph;
	int32_t parts;
	const int32_t *sizes;
	int32_t *part_of;
	double cut; /* -1: none */
	int32_t *tried, *order, *ordered;
};

/* Refines an attempt and keeps it if it is better. */
static bool keep_refined(struct best_partition *b)
{
	double cut;

	if (!partition_refine(b->graph, b->parts, b->tried))
		return false;
	cut = partition_cut(b->graph, b->tried);
	if (b->cut >= 0 && cut >= b->cut)
		return true;
	b->cut = cut;
	for (int32_t v = 0; v < b->graph->vertices; v++)
		b->part_of[v] = b->order[b->tried[v]];
	return true;
}

/* For a grid: equal blocks if they fit, and recursive halving. */
static bool try_grid(struct best_partition *b)
{
	struct grid_shape shape;
	bool is_grid;

	if (!grid_find(b->graph, &shape, &is_grid))
		return false;
	if (!is_grid)
		return true;
	order_parts(b->parts, b->sizes, 0, NULL, b->order, b->ordered);
	if (grid_tile(b->graph, &shape, b->parts, b->sizes, b->tried) && !keep_refined(b))
		return false;
	return grid_halve(b->graph, &shape, b->parts, b->sizes, b->tried) && keep_refined(b);
}

/* The best of attempts [first, end), each with other random numbers. */
static bool divide_often(struct best_partition *b, const struct subgraph *subgraph, int first, int end)
{
	if (first == 0 && !try_grid(b))
		return false;
	for (int i = first; i < end; i++) {
		struct rng rng = {((uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15), i & 1 ? 1 : STARTS,
		                  !(i & 1)};
		order_parts(b->parts, b->sizes, i, &rng, b->order, b->ordered);
		if (!divide(subgraph, 0, b->parts, b->ordered, &rng, b->tried) || !keep_refined(b))
			return false;
	}
	return true;
}

static bool divide_tries(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes, int first,
                         int end, int32_t *part_of)
{
	struct best_partition best = {
		.graph = graph, .parts = parts, .sizes = sizes, .part_of = part_of, .cut = -1};
	int32_t *memory = malloc(((size_t)graph->vertices + 2 * (size_t)parts) * sizeof *memory + 1);
	struct subgraph whole;
	bool divided;

	if (!memory || !subgraph_copy(&whole, graph)) {
		free(memory);
		return false;
	}
	best.tried = memory;
	best.order = memory + graph->vertices;
	best.ordered = best.order + parts;
	divided = divide_often(&best, &whole, first, end);
	subgraph_release(&whole);
	free(memory);
	return divided;
}

bool partition_graph_tries(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes, int tries,
                           int32_t *part_of)
{
	return divide_tries(graph, parts, sizes, 0, tries, part_of);
}

bool partition_graph_try(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes, int number,
                         int32_t *part_of)
{
	return divide_tries(graph, parts, sizes, number, number + 1, part_of);
}

/* If no part has more than one vertex, every edge is cut. */
static bool place_single(int32_t vertices, int32_t parts, const int32_t *sizes, int32_t *part_of)
{
	for (int32_t p = 0; p < parts; p++)
		if (sizes[p] > 1)
			return false;
	for (int32_t v = 0, p = 0; v < vertices; p++)
		if (sizes[p])
			part_of[v++] = p;
	return true;
}

bool partition_graph(const struct weighted_graph *graph, int32_t parts, const int32_t *sizes,
                     int32_t *part_of)
{
	int64_t tries = EFFORT / (graph->offsets[graph->vertices] + 1);
	int64_t swaps = (int64_t)SWAPS * graph->vertices;

	if (place_single(graph->vertices, parts, sizes, part_of))
		return true;
	tries = tries < TRIES_MAX ? tries : TRIES_MAX;
	return partition_graph_tries(graph, parts, sizes, tries > 1 ? (int)tries : 1, part_of) &&
	       partition_improve(graph, parts, swaps < SWAPS_MAX ? swaps : SWAPS_MAX, part_of);
}
