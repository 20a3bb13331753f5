/* Fiduccia and Mattheyses: move the vertex with the largest gain, even if negative, then return to the best state. */
#include "topo/mapping/bisection.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 12 };

/* A binary max-heap by gain: vertices of one side that have not moved. */
struct gain_heap {
	int32_t *items;
	int32_t count;
};

struct refinement {
	const struct bisection_graph *graph;
	uint8_t *side;
	int64_t target, tolerance;
	int64_t excess; /* weight of side 0 above its target */
	bool settled;   /* the target was reached in this pass */
	double cut;
	struct gain_heap heaps[2];
	double *gains;
	int32_t *slots; /* position of each vertex in its heap; -1: moved */
	int32_t *moves;
	void *memory;
};

static bool refinement_make(struct refinement *r, const struct bisection_graph *graph, int64_t target,
                            uint8_t *side)
{
	size_t n = (size_t)graph->vertices;
	char *memory = malloc(n * (sizeof(double) + 4 * sizeof(int32_t)) + 1);

	if (!memory)
		return false;
	r->graph = graph;
	r->side = side;
	r->target = target;
	r->memory = memory;
	r->gains = (double *)(void *)memory;
	r->slots = (int32_t *)(void *)(memory + n * sizeof(double));
	r->moves = r->slots + n;
	r->heaps[0].items = r->moves + n;
	r->heaps[1].items = r->heaps[0].items + n;
	/* Tolerance during a pass, to leave local optima; the result is exact. */
	r->tolerance = graph->vertices / 50 > graph->heaviest ? graph->vertices / 50 : graph->heaviest;
	return true;
}

static void put(struct refinement *r, struct gain_heap *heap, int32_t slot, int32_t vertex)
{
	heap->items[slot] = vertex;
	r->slots[vertex] = slot;
}

static void sift_up(struct refinement *r, struct gain_heap *heap, int32_t slot)
{
	int32_t vertex = heap->items[slot];

	while (slot > 0 && r->gains[heap->items[(slot - 1) / 2]] < r->gains[vertex]) {
		put(r, heap, slot, heap->items[(slot - 1) / 2]);
		slot = (slot - 1) / 2;
	}
	put(r, heap, slot, vertex);
}

static void sift_down(struct refinement *r, struct gain_heap *heap, int32_t slot)
{
	int32_t vertex = heap->items[slot];

	for (;;) {
		int32_t child = 2 * slot + 1;
		if (child >= heap->count)
			break;
		if (child + 1 < heap->count &&
		    r->gains[heap->items[child + 1]] > r->gains[heap->items[child]])
			child++;
		if (r->gains[heap->items[child]] <= r->gains[vertex])
			break;
		put(r, heap, slot, heap->items[child]);
		slot = child;
	}
	put(r, heap, slot, vertex);
}

/* Computes gains, heaps, weight and cut from the current sides. */
static void begin_pass(struct refinement *r)
{
	const struct bisection_graph *g = r->graph;

	r->excess = -r->target;
	r->cut = 0;
	r->heaps[0].count = r->heaps[1].count = 0;
	for (int32_t v = 0; v < g->vertices; v++) {
		struct gain_heap *heap = &r->heaps[r->side[v]];
		double gain = 0;
		for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
			bool crosses = r->side[g->targets[e]] != r->side[v];
			gain += crosses ? g->weights[e] : -g->weights[e];
			r->cut += crosses ? g->weights[e] : 0;
		}
		r->gains[v] = gain;
		if (!r->side[v])
			r->excess += g->loads[v];
		put(r, heap, heap->count, v);
		heap->count++;
	}
	r->cut /= 2;
	for (int s = 0; s < 2; s++)
		for (int32_t slot = r->heaps[s].count / 2; slot-- > 0;)
			sift_down(r, &r->heaps[s], slot);
}

static void flip(struct refinement *r, int32_t vertex)
{
	int32_t load = r->graph->loads[vertex];

	r->excess += r->side[vertex] ? load : -load;
	r->side[vertex] ^= 1;
}

static void move(struct refinement *r, int32_t vertex)
{
	const struct bisection_graph *g = r->graph;

	r->cut -= r->gains[vertex];
	flip(r, vertex);
	for (int64_t e = g->offsets[vertex]; e < g->offsets[vertex + 1]; e++) {
		int32_t other = g->targets[e];
		struct gain_heap *heap = &r->heaps[r->side[other]];
		if (r->slots[other] < 0)
			continue;
		if (r->side[other] != r->side[vertex]) {
			r->gains[other] += 2 * g->weights[e];
			sift_up(r, heap, r->slots[other]);
		} else {
			r->gains[other] -= 2 * g->weights[e];
			sift_down(r, heap, r->slots[other]);
		}
	}
}

/* The side to move from: the heavier one if the weights differ too much, otherwise that of the larger gain. -1: no move is left. */
static int choose_side(const struct refinement *r)
{
	const struct gain_heap *heaps = r->heaps;
	double gains[2];

	if (!r->settled && heaps[r->excess < 0].count)
		return r->excess < 0;
	for (int s = 0; s < 2; s++) {
		int64_t load, excess;
		gains[s] = -DBL_MAX;
		if (!heaps[s].count)
			continue;
		load = r->graph->loads[heaps[s].items[0]];
		excess = s ? r->excess + load : r->excess - load;
		if (llabs(excess) <= r->tolerance || llabs(excess) < llabs(r->excess))
			gains[s] = r->gains[heaps[s].items[0]];
	}
	if (gains[0] == -DBL_MAX && gains[1] == -DBL_MAX)
		return -1;
	if (gains[0] == gains[1])
		return r->excess < 0;
	return gains[1] > gains[0];
}

/* Exact weight first; coarse levels are only as exact as loads allow. */
static int64_t miss_of(const struct refinement *r)
{
	int64_t miss = llabs(r->excess);

	return r->graph->heaviest == 1 || miss > r->graph->heaviest ? miss : 0;
}

/* True: the pass improved the cut or the balance. */
static bool pass(struct refinement *r)
{
	int32_t moves = 0, best = 0, patience = 64 + r->graph->vertices / 8;
	double start, best_cut;
	int64_t start_miss, best_miss;
	double slack;

	begin_pass(r);
	start = best_cut = r->cut;
	start_miss = best_miss = miss_of(r);
	r->settled = start_miss == 0;
	slack = 1e-9 * (start + 1);
	while (moves - best <= patience) {
		int from = choose_side(r);
		int32_t vertex;
		if (from < 0)
			break;
		vertex = r->heaps[from].items[0];
		struct gain_heap *heap = &r->heaps[from];
		int32_t top = heap->items[0];
		heap->count--;
		if (heap->count) {
			put(r, heap, 0, heap->items[heap->count]);
			sift_down(r, heap, 0);
		}
		r->slots[top] = -1;
		move(r, vertex);
		r->moves[moves++] = vertex;
		if (miss_of(r) < best_miss || (miss_of(r) == best_miss && r->cut < best_cut - slack)) {
			best = moves;
			best_cut = r->cut;
			best_miss = miss_of(r);
			r->settled |= best_miss == 0;
		}
	}
	while (moves > best)
		flip(r, r->moves[--moves]);
	r->cut = best_cut;
	return best_miss < start_miss || best_cut < start - slack;
}

double bisection_refine(const struct bisection_graph *graph, int64_t target, uint8_t *side)
{
	struct refinement r;

	if (!refinement_make(&r, graph, target, side))
		return -1;
	for (int i = 0; i < PASSES && pass(&r); i++)
		;
	free(r.memory);
	return r.cut;
}
