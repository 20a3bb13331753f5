/* Threshold accepting: random swaps of two vertices. A swap may increase the cut by a threshold that decreases to 0. This leaves
 * local optima that greedy moves cannot leave, and takes time proportional to the number of swaps. */
#include "topo/mapping/anneal.h"

#include <stdlib.h>
#include <string.h>

/* Number of thresholds; the last one is 0. */
enum { STEPS = 64 };

/* Swaps per vertex in a walk, and the first threshold as a fraction of a vertex's weight. */
enum { SWAPS = 1000 };
static const double heats[] = {0.3, 0.06, 2};
enum { HEATS = sizeof heats / sizeof *heats };

/* How often parts are redivided: minimum, per part, maximum. */
enum { ROUNDS_MIN = 80, PART_ROUNDS = 2, ROUNDS_MAX = 600 };

struct annealing {
	const struct weighted_graph *graph;
	int32_t *part_of;
	int32_t *first, *members; /* by part */
	int32_t *places;          /* position of each vertex in `members` */
	struct rng rng;
	double cut;
};

/* `first` starts shifted by one; filling `members` moves each entry to its final value. */
void partition_members(int32_t vertices, int32_t parts, const int32_t *part_of, int32_t *first,
                       int32_t *members)
{
	memset(first, 0, ((size_t)parts + 2) * sizeof *first);
	for (int32_t v = 0; v < vertices; v++)
		first[part_of[v] + 2]++;
	for (int32_t p = 2; p < parts + 2; p++)
		first[p] += first[p - 1];
	for (int32_t v = 0; v < vertices; v++)
		members[first[part_of[v] + 1]++] = v;
}

static bool annealing_make(struct annealing *a, const struct weighted_graph *graph, int32_t parts,
                           int32_t *part_of)
{
	size_t n = (size_t)graph->vertices;
	int32_t *memory = calloc((size_t)parts + 2 + 2 * n, sizeof *memory);

	if (!memory)
		return false;
	*a = (struct annealing){.graph = graph, .part_of = part_of, .first = memory};
	a->members = memory + parts + 2;
	a->places = a->members + n;
	partition_members(graph->vertices, parts, part_of, a->first, a->members);
	for (int32_t i = 0; i < graph->vertices; i++)
		a->places[a->members[i]] = i;
	return true;
}

/* Decrease of the cut if two vertices of different parts are swapped. */
static double swap_gain(const struct annealing *a, int32_t v, int32_t other)
{
	const struct weighted_graph *g = a->graph;
	int32_t here = a->part_of[v], there = a->part_of[other];
	double gain = 0;

	for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
		int32_t target = g->targets[e], part = a->part_of[target];
		/* The edge between the two remains cut: this loss is added again below. */
		if (part == there)
			gain += target == other ? -g->weights[e] : g->weights[e];
		else if (part == here)
			gain -= g->weights[e];
	}
	for (int64_t e = g->offsets[other]; e < g->offsets[other + 1]; e++) {
		int32_t part = a->part_of[g->targets[e]];
		if (part == here)
			gain += g->weights[e];
		else if (part == there)
			gain -= g->weights[e];
	}
	return gain;
}

static void swap_vertices(struct annealing *a, int32_t v, int32_t other)
{
	int32_t part = a->part_of[v], place = a->places[v];

	a->part_of[v] = a->part_of[other];
	a->part_of[other] = part;
	a->places[v] = a->places[other];
	a->places[other] = place;
	a->members[a->places[v]] = v;
	a->members[place] = other;
}

/* Moves a vertex to the part of a neighbour, in exchange for another vertex. */
static void try_swap(struct annealing *a, double threshold)
{
	const struct weighted_graph *g = a->graph;
	int32_t v = (int32_t)rng_below(&a->rng, (uint32_t)g->vertices), part, other;
	int64_t degree = g->offsets[v + 1] - g->offsets[v];
	double gain;

	if (!degree)
		return;
	part = a->part_of[g->targets[g->offsets[v] + rng_below(&a->rng, (uint32_t)degree)]];
	if (part == a->part_of[v])
		return;
	other = a->members[a->first[part] +
	                   (int32_t)rng_below(&a->rng, (uint32_t)(a->first[part + 1] - a->first[part]))];
	gain = swap_gain(a, v, other);
	if (gain < -threshold)
		return;
	swap_vertices(a, v, other);
	a->cut -= gain;
}

static double mean_degree(const struct weighted_graph *g)
{
	double sum = 0;

	for (int64_t e = 0; e < g->offsets[g->vertices]; e++)
		sum += g->weights[e];
	return g->vertices ? sum / g->vertices : 0;
}

bool partition_anneal(const struct weighted_graph *graph, int32_t parts, int64_t swaps, double heat,
                      uint64_t seed, int32_t *part_of)
{
	size_t bytes = (size_t)graph->vertices * sizeof *part_of;
	double start = heat * mean_degree(graph), best = partition_cut(graph, part_of);
	int32_t *kept = malloc(bytes + 1);
	struct annealing a;

	if (!kept || !annealing_make(&a, graph, parts, part_of)) {
		free(kept);
		return false;
	}
	a.rng = (struct rng){.state = seed};
	a.cut = best;
	memcpy(kept, part_of, bytes);
	for (int step = 1; step <= STEPS; step++) {
		double left = (double)(STEPS - step) / STEPS;
		for (int64_t i = 0; i < swaps / STEPS; i++)
			try_swap(&a, start * left * left);
		if (a.cut >= best)
			continue;
		best = a.cut;
		memcpy(kept, part_of, bytes);
	}
	memcpy(part_of, kept, bytes);
	free(kept);
	free(a.first);
	return true;
}

static int rounds_anew(int32_t parts)
{
	int64_t rounds = ROUNDS_MIN + PART_ROUNDS * (int64_t)parts;

	return (int)(rounds < ROUNDS_MAX ? rounds : ROUNDS_MAX);
}

bool partition_walk(const struct weighted_graph *graph, int32_t parts, int64_t swaps, int number,
                    int32_t *part_of)
{
	uint64_t seed = (uint64_t)number + 1;

	return partition_redivide(graph, parts, rounds_anew(parts) / 2, seed, part_of) &&
	       partition_anneal(graph, parts, swaps, heats[number % HEATS], seed, part_of) &&
	       partition_refine(graph, parts, part_of);
}

bool partition_improve(const struct weighted_graph *graph, int32_t parts, int64_t swaps, int32_t *part_of)
{
	size_t bytes = (size_t)graph->vertices * sizeof *part_of;
	int64_t each = (int64_t)SWAPS * graph->vertices;
	int32_t *tried = malloc(bytes + 1);
	bool enough = tried && partition_redivide(graph, parts, rounds_anew(parts), 1, part_of);
	double best = enough ? partition_cut(graph, part_of) : 0;

	each = each < swaps / HEATS ? each : swaps / HEATS;
	for (int i = 0; enough && best > 0 && (i < HEATS || (i + 1) * each <= swaps); i++) {
		double cut;
		memcpy(tried, part_of, bytes);
		enough = partition_anneal(graph, parts, each, heats[i % HEATS], (uint64_t)i + 1, tried) &&
		         partition_refine(graph, parts, tried);
		cut = enough ? partition_cut(graph, tried) : best;
		if (cut >= best)
			continue;
		best = cut;
		memcpy(part_of, tried, bytes);
	}
	free(tried);
	return enough;
}
