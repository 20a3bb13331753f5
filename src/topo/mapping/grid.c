#include "topo/mapping/grid.h"

#include <stdlib.h>
#include <string.h>

/* Shapes */

/* Number of heaviest neighbour differences that are considered. */
enum { CANDIDATES = 8 };

/* Minimum share of all weight on grid edges. */
static const double SHARE_MIN = 0.5;

/* The heaviest differences that divide the number of vertices, by descending weight. Returns their number. */
static int heaviest_differences(const double *sums, int32_t vertices, int32_t *found)
{
	int count = 0;

	for (int32_t d = 2; d < vertices; d++) {
		int at = count;
		if (sums[d] <= 0 || vertices % d || (at == CANDIDATES && sums[found[at - 1]] >= sums[d]))
			continue;
		/* Drop the lightest one if the list is full. */
		at -= at == CANDIDATES;
		count = at + 1;
		for (; at > 0 && sums[found[at - 1]] < sums[d]; at--)
			found[at] = found[at - 1];
		found[at] = d;
	}
	return count;
}

static void choose_shape(const double *sums, int32_t vertices, const int32_t *differences, int count,
                         struct grid_shape *shape, double *heaviest)
{
	for (int i = 0; i < count; i++) {
		int32_t row = differences[i];
		if (sums[1] + sums[row] > *heaviest) {
			*heaviest = sums[1] + sums[row];
			*shape = (struct grid_shape){{row, vertices / row, 1}};
		}
		for (int j = 0; j < count; j++) {
			int32_t plane = differences[j];
			double sum = sums[1] + sums[row] + sums[plane];
			if (plane <= row || plane % row || sum <= *heaviest)
				continue;
			*heaviest = sum;
			*shape = (struct grid_shape){{row, plane / row, vertices / plane}};
		}
	}
}

bool grid_find(const struct weighted_graph *graph, struct grid_shape *shape, bool *found)
{
	int32_t differences[CANDIDATES];
	double *sums = malloc((size_t)graph->vertices * sizeof *sums + 1), all = 0, heaviest = 0;

	*found = false;
	if (!sums)
		return false;
	/* Sum of weights by difference of vertex numbers. */
	memset(sums, 0, (size_t)graph->vertices * sizeof *sums);
	for (int32_t v = 0; v < graph->vertices; v++)
		for (int64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
			if (graph->targets[e] < v)
				sums[v - graph->targets[e]] += graph->weights[e];
	for (int32_t d = 1; d < graph->vertices; d++)
		all += sums[d];
	choose_shape(sums, graph->vertices, differences,
	             heaviest_differences(sums, graph->vertices, differences), shape, &heaviest);
	*found = heaviest > 0 && heaviest >= SHARE_MIN * all;
	free(sums);
	return true;
}

static int32_t coordinate(const struct grid_shape *shape, int32_t v, int dimension)
{
	for (int i = 0; i < dimension; i++)
		v /= shape->lengths[i];
	return v % shape->lengths[dimension];
}

/* Blocks */

static void lay_blocks(const struct grid_shape *shape, const int32_t *block, int32_t vertices,
                       int32_t *part_of)
{
	for (int32_t v = 0; v < vertices; v++) {
		int32_t part = 0;
		for (int i = GRID_DIMENSIONS - 1; i >= 0; i--)
			part = part * (shape->lengths[i] / block[i]) + coordinate(shape, v, i) / block[i];
		part_of[v] = part;
	}
}

bool grid_tile(const struct weighted_graph *graph, const struct grid_shape *shape, int32_t parts,
               const int32_t *sizes, int32_t *part_of)
{
	int32_t best_block[GRID_DIMENSIONS] = {1, 1, 1}, size = sizes[0];
	double best = -1;

	for (int32_t p = 1; p < parts; p++)
		if (sizes[p] != size)
			return false;
	for (int32_t row = 1; row <= shape->lengths[0] && row <= size; row++) {
		if (size % row || shape->lengths[0] % row)
			continue;
		for (int32_t column = 1; column <= shape->lengths[1] && column <= size / row; column++) {
			int32_t block[] = {row, column, size / row / column};
			double cut;
			if (size / row % column || shape->lengths[1] % column || shape->lengths[2] % block[2])
				continue;
			lay_blocks(shape, block, graph->vertices, part_of);
			cut = partition_cut(graph, part_of);
			if (best >= 0 && cut >= best)
				continue;
			best = cut;
			memcpy(best_block, block, sizeof best_block);
		}
	}
	if (best >= 0)
		lay_blocks(shape, best_block, graph->vertices, part_of);
	return best >= 0;
}

/* Recursive halving */

struct halving {
	const struct weighted_graph *graph;
	const struct grid_shape *shape;
	int32_t *part_of; /* first part of each vertex's set that is not yet divided */
	int32_t *vertices, *sorted, *counts, *best;
};

/* Sorts vertices by one coordinate; equal ones keep their order. */
static void sort_along(const struct halving *h, int32_t begin, int32_t end, int dimension)
{
	int32_t length = h->shape->lengths[dimension];

	memset(h->counts, 0, ((size_t)length + 1) * sizeof *h->counts);
	for (int32_t i = begin; i < end; i++)
		h->counts[coordinate(h->shape, h->vertices[i], dimension) + 1]++;
	for (int32_t i = 0; i < length; i++)
		h->counts[i + 1] += h->counts[i];
	for (int32_t i = begin; i < end; i++)
		h->sorted[begin + h->counts[coordinate(h->shape, h->vertices[i], dimension)]++] =
			h->vertices[i];
}

/* The cut if vertices from `middle` on become part `second`. */
static double half_cut(const struct halving *h, int32_t begin, int32_t middle, int32_t end, int32_t first,
                       int32_t second)
{
	const struct weighted_graph *g = h->graph;
	double cut = 0;

	for (int32_t i = middle; i < end; i++)
		h->part_of[h->sorted[i]] = second;
	for (int32_t i = begin; i < middle; i++)
		for (int64_t e = g->offsets[h->sorted[i]]; e < g->offsets[h->sorted[i] + 1]; e++)
			if (h->part_of[g->targets[e]] == second)
				cut += g->weights[e];
	for (int32_t i = middle; i < end; i++)
		h->part_of[h->sorted[i]] = first;
	return cut;
}

static void halve(const struct halving *h, int32_t begin, int32_t first, int32_t parts, const int32_t *sizes)
{
	int32_t half = parts / 2, middle = begin, end = begin;
	size_t bytes;
	double smallest = -1;

	for (int32_t p = 0; p < parts; p++) {
		middle += p < half ? sizes[p] : 0;
		end += sizes[p];
	}
	if (parts == 1 || begin == end)
		return;
	bytes = (size_t)(end - begin) * sizeof *h->vertices;
	for (int i = 0; i < GRID_DIMENSIONS; i++) {
		double cut;
		if (h->shape->lengths[i] == 1)
			continue;
		sort_along(h, begin, end, i);
		cut = half_cut(h, begin, middle, end, first, first + half);
		if (smallest >= 0 && cut >= smallest)
			continue;
		smallest = cut;
		memcpy(h->best + begin, h->sorted + begin, bytes);
	}
	memcpy(h->vertices + begin, h->best + begin, bytes);
	for (int32_t i = middle; i < end; i++)
		h->part_of[h->vertices[i]] = first + half;
	halve(h, begin, first, half, sizes);
	halve(h, middle, first + half, parts - half, sizes + half);
}

bool grid_halve(const struct weighted_graph *graph, const struct grid_shape *shape, int32_t parts,
                const int32_t *sizes, int32_t *part_of)
{
	size_t n = (size_t)graph->vertices;
	int32_t *memory = malloc((4 * n + 1) * sizeof *memory);
	struct halving h = {.graph = graph, .shape = shape, .part_of = part_of, .vertices = memory};

	if (!memory)
		return false;
	h.sorted = memory + n;
	h.best = h.sorted + n;
	h.counts = h.best + n;
	for (int32_t v = 0; v < graph->vertices; v++) {
		h.vertices[v] = v;
		part_of[v] = 0;
	}
	halve(&h, 0, 0, parts, sizes);
	free(memory);
	return true;
}
