#include "topo/mapping/owned_graph.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20, TRIED_MAX = 256 };

static double distance(const struct slot_tree *tree, int32_t a, int32_t b)
{
	for (int level = 0; level < tree->levels; level++)
		if (tree->group_of[level][a] != tree->group_of[level][b])
			return tree->costs[level];
	return 0;
}

/* Weight × distance of a vertex's edges if it were at `slot`. */
static double cost_at(const struct weighted_graph *g, const struct slot_tree *tree, const int32_t *slot_of,
                      int32_t v, int32_t slot)
{
	double cost = 0;

	for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
		cost += g->weights[e] * distance(tree, slot, slot_of[g->targets[e]]);
	return cost;
}

double placement_cost(const struct weighted_graph *graph, const struct slot_tree *tree,
                      const int32_t *slot_of)
{
	double cost = 0;

	for (int32_t v = 0; v < graph->vertices; v++)
		cost += cost_at(graph, tree, slot_of, v, slot_of[v]);
	return cost / 2;
}

struct placing {
	const struct weighted_graph *graph;
	const struct slot_tree *tree;
	int32_t *vertices; /* by slot */
	int32_t *numbers;  /* of vertices in the group that is being divided */
	int32_t *sizes, *part_of, *sorted;
	void *memory;
};

static bool placing_make(struct placing *p, const struct weighted_graph *graph, const struct slot_tree *tree)
{
	size_t n = (size_t)graph->vertices;
	int32_t *memory = malloc(5 * n * sizeof *memory + 1);

	if (!memory)
		return false;
	*p = (struct placing){.graph = graph, .tree = tree, .memory = memory};
	p->vertices = memory;
	p->numbers = p->vertices + n;
	p->sizes = p->numbers + n;
	p->part_of = p->sizes + n;
	p->sorted = p->part_of + n;
	return true;
}

/* Divides the vertices at slots [begin, end) among the groups of a level; afterwards each is at a slot of its group. */
static bool place_group(struct placing *p, int level, int32_t begin, int32_t end)
{
	const int32_t *group_of = p->tree->group_of[level];
	int32_t first = group_of[begin], parts = group_of[end - 1] - first + 1,
		*vertices = p->vertices + begin;
	struct owned_graph group;
	bool done;

	if (parts == 1)
		return true;
	memset(p->sizes, 0, (size_t)parts * sizeof *p->sizes);
	for (int32_t slot = begin; slot < end; slot++) {
		p->sizes[group_of[slot] - first]++;
		p->numbers[p->vertices[slot]] = slot - begin;
	}
	if (!owned_graph_induced(&group, p->graph, vertices, end - begin, p->numbers))
		return false;
	done = partition_graph(&group.graph, parts, p->sizes, p->part_of);
	owned_graph_release(&group);
	if (!done)
		return false;
	for (int32_t part = 0, next = 0; part < parts; part++) {
		int32_t size = p->sizes[part];
		p->sizes[part] = next;
		next += size;
	}
	for (int32_t i = 0; i < end - begin; i++)
		p->sorted[p->sizes[p->part_of[i]]++] = vertices[i];
	memcpy(vertices, p->sorted, (size_t)(end - begin) * sizeof *vertices);
	return true;
}

/* The end of a slot's group at the level above, or of all slots. */
static int32_t group_end(const struct slot_tree *tree, int level, int32_t slot)
{
	int32_t end = slot;

	if (level == 0)
		return tree->slots;
	while (end < tree->slots && tree->group_of[level - 1][end] == tree->group_of[level - 1][slot])
		end++;
	return end;
}

static bool place_levels(struct placing *p)
{
	for (int level = 0; level < p->tree->levels; level++)
		for (int32_t begin = 0, end; begin < p->tree->slots; begin = end) {
			end = group_end(p->tree, level, begin);
			if (!place_group(p, level, begin, end))
				return false;
		}
	return true;
}

bool placement_make(const struct weighted_graph *graph, const struct slot_tree *tree, int32_t *slot_of)
{
	struct placing p;
	bool done;

	if (!placing_make(&p, graph, tree))
		return false;
	for (int32_t v = 0; v < graph->vertices; v++)
		p.vertices[v] = v;
	done = place_levels(&p);
	for (int32_t slot = 0; slot < graph->vertices; slot++)
		slot_of[p.vertices[slot]] = slot;
	free(p.memory);
	return done && placement_refine(graph, tree, slot_of);
}

/* Change of the cost if two vertices are swapped; the length of their common edge does not change. */
static double swap_change(const struct weighted_graph *g, const struct slot_tree *tree,
                          const int32_t *slot_of, int32_t v, int32_t other, double cost_now)
{
	int32_t here = slot_of[v], there = slot_of[other];
	double change = cost_at(g, tree, slot_of, v, there) - cost_now +
	                cost_at(g, tree, slot_of, other, here) - cost_at(g, tree, slot_of, other, there);

	for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
		if (g->targets[e] == other)
			change += 2 * g->weights[e] * distance(tree, here, there);
	return change;
}

/* The best swap partner within the innermost groups of v's neighbours; -1: none improves the cost. */
static int32_t best_swap(const struct weighted_graph *g, const struct slot_tree *tree, const int32_t *slot_of,
                         const int32_t *vertex_at, int32_t v)
{
	const int32_t *group_of = tree->group_of[tree->levels - 1];
	double now = cost_at(g, tree, slot_of, v, slot_of[v]), best = -1e-9 * now;
	int32_t found = -1, tried = 0, last_group = group_of[slot_of[v]];

	if (now <= 0)
		return -1;
	for (int64_t e = g->offsets[v]; e < g->offsets[v + 1] && tried < TRIED_MAX; e++) {
		int32_t slot = slot_of[g->targets[e]], group = group_of[slot];
		if (group == last_group || group == group_of[slot_of[v]])
			continue;
		last_group = group;
		while (slot > 0 && group_of[slot - 1] == group)
			slot--;
		if (cost_at(g, tree, slot_of, v, slot) >= now)
			continue;
		for (; slot < tree->slots && group_of[slot] == group; slot++, tried++) {
			double change = swap_change(g, tree, slot_of, v, vertex_at[slot], now);
			if (change < best) {
				best = change;
				found = vertex_at[slot];
			}
		}
	}
	return found;
}

bool placement_refine(const struct weighted_graph *graph, const struct slot_tree *tree, int32_t *slot_of)
{
	int32_t *vertex_at = malloc((size_t)graph->vertices * sizeof *vertex_at + 1);
	bool changed = tree->levels > 0;

	if (!vertex_at)
		return false;
	for (int32_t v = 0; v < graph->vertices; v++)
		vertex_at[slot_of[v]] = v;
	for (int round = 0; changed && round < ROUNDS; round++) {
		changed = false;
		for (int32_t v = 0; v < graph->vertices; v++) {
			int32_t other = best_swap(graph, tree, slot_of, vertex_at, v), slot = slot_of[v];
			if (other < 0)
				continue;
			slot_of[v] = slot_of[other];
			slot_of[other] = slot;
			vertex_at[slot_of[v]] = v;
			vertex_at[slot] = other;
			changed = true;
		}
	}
	free(vertex_at);
	return true;
}
