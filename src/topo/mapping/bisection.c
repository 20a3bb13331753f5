/* Multilevel bisection: contract heavy edges until the graph is small, divide it, and refine on the way back. */
#include "topo/mapping/bisection.h"

#include <stdlib.h>
#include <string.h>

enum { COARSE_ENOUGH = 40, LEVELS_MAX = 40 };

bool bisection_graph_make(struct bisection_graph *graph, int32_t vertices, int64_t edges)
{
	size_t n = (size_t)vertices, m = (size_t)edges;
	char *memory = malloc((n + 1) * sizeof(int64_t) + m * sizeof(double) + (m + n) * sizeof(int32_t));

	if (!memory)
		return false;
	*graph = (struct bisection_graph){.vertices = vertices, .heaviest = 1, .memory = memory};
	graph->offsets = (int64_t *)(void *)memory;
	graph->weights = (double *)(void *)(graph->offsets + n + 1);
	graph->targets = (int32_t *)(void *)(graph->weights + m);
	graph->loads = graph->targets + m;
	graph->offsets[0] = 0;
	return true;
}

void bisection_graph_release(struct bisection_graph *graph)
{
	free(graph->memory);
	*graph = (struct bisection_graph){0};
}

uint32_t rng_below(struct rng *rng, uint32_t end)
{
	rng->state ^= rng->state << 13;
	rng->state ^= rng->state >> 7;
	rng->state ^= rng->state << 17;
	return (uint32_t)((rng->state >> 32) * end >> 32);
}

static void shuffle(struct rng *rng, int32_t *items, int32_t count)
{
	for (int32_t i = 0; i < count; i++)
		items[i] = i;
	for (int32_t i = count - 1; i > 0; i--) {
		int32_t other = (int32_t)rng_below(rng, (uint32_t)i + 1), item = items[i];
		items[i] = items[other];
		items[other] = item;
	}
}

/* The unmatched neighbour with the heaviest edge, of equal edges the one with the smaller load; -1: none. */
static int32_t heaviest_neighbour(const struct bisection_graph *g, int32_t v, const int32_t *coarse_of,
                                  int32_t load_max)
{
	int32_t found = -1;
	double weight = 0;

	for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
		int32_t other = g->targets[e];
		if (coarse_of[other] >= 0 || g->loads[v] + g->loads[other] > load_max ||
		    g->weights[e] < weight)
			continue;
		if (found >= 0 && g->weights[e] == weight && g->loads[other] >= g->loads[found])
			continue;
		found = other;
		weight = g->weights[e];
	}
	return found;
}

/* Numbers the vertices of the coarse graph. `members` gets the two original vertices of each, or one and
 * -1. Returns their number. */
static int32_t match(const struct bisection_graph *g, struct rng *rng, int32_t load_max, int32_t *order,
                     int32_t *coarse_of, int32_t *members)
{
	int32_t count = 0;

	shuffle(rng, order, g->vertices);
	memset(coarse_of, -1, (size_t)g->vertices * sizeof *coarse_of);
	for (int32_t i = 0; i < g->vertices; i++) {
		int32_t v = order[i], other;
		if (coarse_of[v] >= 0)
			continue;
		coarse_of[v] = count;
		other = heaviest_neighbour(g, v, coarse_of, load_max);
		if (other >= 0)
			coarse_of[other] = count;
		members[2 * (int64_t)count] = v;
		members[2 * (int64_t)count + 1] = other;
		count++;
	}
	return count;
}

/* Adds the neighbours of a vertex to the row of its coarse vertex `own`. `places` has the position of each
 * coarse neighbour in the row. */
static int64_t add_row(const struct bisection_graph *g, int32_t v, const int32_t *coarse_of, int32_t own,
                       struct bisection_graph *coarse, int64_t begin, int64_t end, int64_t *places)
{
	for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
		int32_t other = coarse_of[g->targets[e]];
		int64_t place = places[other];
		if (other == own)
			continue;
		if (place >= begin && place < end && coarse->targets[place] == other) {
			coarse->weights[place] += g->weights[e];
			continue;
		}
		places[other] = end;
		coarse->targets[end] = other;
		coarse->weights[end++] = g->weights[e];
	}
	return end;
}

static void contract(const struct bisection_graph *g, const int32_t *coarse_of, const int32_t *members,
                     int64_t *places, struct bisection_graph *coarse)
{
	int64_t end = 0;

	memset(places, -1, (size_t)coarse->vertices * sizeof *places);
	for (int32_t c = 0; c < coarse->vertices; c++) {
		int64_t begin = end;
		coarse->loads[c] = 0;
		for (int i = 0; i < 2; i++) {
			int32_t v = members[2 * (int64_t)c + i];
			if (v < 0)
				continue;
			coarse->loads[c] += g->loads[v];
			end = add_row(g, v, coarse_of, c, coarse, begin, end, places);
		}
		coarse->offsets[c + 1] = end;
		if (coarse->loads[c] > coarse->heaviest)
			coarse->heaviest = coarse->loads[c];
	}
}

/* Grows side 0 from `seed`, always by the vertex with the largest gain, until its weight is reached. */
static void grow(const struct bisection_graph *g, int64_t target, int32_t seed, double *gains, uint8_t *side)
{
	int64_t weight = 0;
	int32_t next = seed;

	memset(side, 1, (size_t)g->vertices);
	memset(gains, 0, (size_t)g->vertices * sizeof *gains);
	for (int32_t v = 0; v < g->vertices; v++)
		for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
			gains[v] -= g->weights[e];
	while (next >= 0 && weight + g->loads[next] / 2 < target) {
		side[next] = 0;
		weight += g->loads[next];
		for (int64_t e = g->offsets[next]; e < g->offsets[next + 1]; e++)
			gains[g->targets[e]] += 2 * g->weights[e];
		next = -1;
		for (int32_t v = 0; v < g->vertices; v++)
			if (side[v] && (next < 0 || gains[v] > gains[next]))
				next = v;
	}
}

/* The best of several starts; for small graphs. */
static double divide(const struct bisection_graph *g, int64_t target, struct rng *rng, uint8_t *side)
{
	size_t n = (size_t)g->vertices;
	double *gains = malloc(n * (sizeof *gains + 1) + 1), best = -1;
	uint8_t *tried = (uint8_t *)(gains + n);

	if (!gains)
		return -1;
	for (int start = 0; start < rng->starts; start++) {
		double cut;
		grow(g, target, (int32_t)rng_below(rng, (uint32_t)n), gains, tried);
		cut = bisection_refine(g, target, tried);
		if (cut < 0) {
			best = -1;
			break;
		}
		if (best < 0 || cut < best) {
			best = cut;
			memcpy(side, tried, n);
		}
	}
	free(gains);
	return best;
}

/* Memory of one level, in one block. */
struct coarsening {
	int32_t *order, *coarse_of, *members;
	int64_t *places;
	uint8_t *side;
	void *memory;
};

static bool coarsening_make(struct coarsening *level, int32_t vertices)
{
	size_t n = (size_t)vertices;
	char *memory = malloc(n * (sizeof(int64_t) + 4 * sizeof(int32_t) + 1) + 1);

	if (!memory)
		return false;
	level->memory = memory;
	level->places = (int64_t *)(void *)memory;
	level->order = (int32_t *)(void *)(level->places + n);
	level->coarse_of = level->order + n;
	level->members = level->coarse_of + n;
	level->side = (uint8_t *)(level->members + 2 * n);
	return true;
}

static double divide_levels(const struct bisection_graph *g, int64_t target, struct rng *rng, uint8_t *side,
                            int depth);

/* Divides the coarse graph and projects the result. */
static double divide_coarse(const struct bisection_graph *g, int64_t target, struct rng *rng, uint8_t *side,
                            int depth, const struct coarsening *level, int32_t count)
{
	struct bisection_graph coarse;
	double cut;

	if (!bisection_graph_make(&coarse, count, g->offsets[g->vertices]))
		return -1;
	contract(g, level->coarse_of, level->members, level->places, &coarse);
	cut = divide_levels(&coarse, target, rng, level->side, depth + 1);
	bisection_graph_release(&coarse);
	if (cut < 0)
		return -1;
	for (int32_t v = 0; v < g->vertices; v++)
		side[v] = level->side[level->coarse_of[v]];
	return bisection_refine(g, target, side);
}

static double divide_levels(const struct bisection_graph *g, int64_t target, struct rng *rng, uint8_t *side,
                            int depth)
{
	struct coarsening level;
	int64_t total = 0, load_max;
	int32_t count;
	double cut;

	if (g->vertices <= COARSE_ENOUGH || depth >= LEVELS_MAX)
		return divide(g, target, rng, side);
	if (!coarsening_make(&level, g->vertices))
		return -1;
	for (int32_t v = 0; v < g->vertices; v++)
		total += g->loads[v];
	/* Limits the weight of coarse vertices, so that sides can be balanced. */
	load_max = total / (COARSE_ENOUGH / 2) > 2 ? total / (COARSE_ENOUGH / 2) : 2;
	count = match(g, rng, (int32_t)load_max, level.order, level.coarse_of, level.members);
	cut = count > g->vertices - g->vertices / 20
	              ? divide(g, target, rng, side)
	              : divide_coarse(g, target, rng, side, depth, &level, count);
	free(level.memory);
	return cut;
}

double bisection_make(const struct bisection_graph *graph, int64_t target, struct rng *rng, uint8_t *side)
{
	return divide_levels(graph, target, rng, side, 0);
}
