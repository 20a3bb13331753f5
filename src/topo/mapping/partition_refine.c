/* Refines a partition: each pair of parts that share edges is bisected again. */
#include "topo/mapping/anneal.h"
#include "topo/mapping/bisection.h"
#include "topo/mapping/partition.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10 };

struct pair_refinement {
	const struct weighted_graph *graph;
	int32_t parts, *part_of;
	int32_t *first, *members; /* by part */
	int32_t *numbers;         /* of vertices in the graph of a pair */
	int32_t *seen, *others;   /* neighbouring parts of one part, each once */
	uint8_t *active, *later;  /* parts that changed in the last round, and in this one */
	uint8_t *side;
	void *memory;
	struct bisection_graph pair;
};

static int32_t part_size(const struct pair_refinement *r, int32_t part)
{
	return r->first[part + 1] - r->first[part];
}

/* An upper bound on the edges of any pair of parts. */
static int64_t most_edges(const struct weighted_graph *g, int64_t vertices)
{
	int64_t degree = 0, limit = g->offsets[g->vertices];

	for (int32_t v = 0; v < g->vertices; v++)
		if (g->offsets[v + 1] - g->offsets[v] > degree)
			degree = g->offsets[v + 1] - g->offsets[v];
	degree = degree < vertices ? degree : vertices;
	return vertices * degree < limit ? vertices * degree : limit;
}

static bool refinement_make(struct pair_refinement *r, const struct weighted_graph *graph, int32_t parts,
                            int32_t *part_of)
{
	size_t n = (size_t)graph->vertices, k = (size_t)parts;
	int32_t *memory = malloc((2 * n + 3 * k + 2) * sizeof *memory + 2 * k + n);
	int32_t largest = 0;

	if (!memory)
		return false;
	*r = (struct pair_refinement){.graph = graph, .parts = parts, .part_of = part_of, .memory = memory};
	r->first = memory;
	r->members = r->first + k + 2;
	r->numbers = r->members + n;
	r->seen = r->numbers + n;
	r->others = r->seen + k;
	r->active = (uint8_t *)(r->others + k);
	r->later = r->active + k;
	r->side = r->later + k;
	partition_members(graph->vertices, parts, part_of, r->first, r->members);
	for (int32_t p = 0; p < parts; p++)
		largest = part_size(r, p) > largest ? part_size(r, p) : largest;
	if (!bisection_graph_make(&r->pair, 2 * largest, most_edges(graph, 2 * (int64_t)largest))) {
		free(memory);
		return false;
	}
	for (int32_t v = 0; v < 2 * largest; v++)
		r->pair.loads[v] = 1;
	return true;
}

/* Makes the graph of two parts in `pair`. Returns the cut between them. */
static double make_pair(struct pair_refinement *r, const int32_t parts[2])
{
	const struct weighted_graph *g = r->graph;
	struct bisection_graph *pair = &r->pair;
	int64_t end = 0;
	double cut = 0;

	pair->vertices = 0;
	for (int s = 0; s < 2; s++)
		for (int32_t i = r->first[parts[s]]; i < r->first[parts[s] + 1]; i++)
			r->numbers[r->members[i]] = pair->vertices++;
	for (int s = 0; s < 2; s++)
		for (int32_t i = r->first[parts[s]]; i < r->first[parts[s] + 1]; i++) {
			int32_t v = r->members[i];
			for (int64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
				int32_t part = r->part_of[g->targets[e]];
				if (part != parts[0] && part != parts[1])
					continue;
				pair->targets[end] = r->numbers[g->targets[e]];
				pair->weights[end++] = g->weights[e];
				cut += part == parts[s] ? 0 : g->weights[e];
			}
			pair->offsets[r->numbers[v] + 1] = end;
			r->side[r->numbers[v]] = (uint8_t)s;
		}
	return cut / 2;
}

/* Assigns members to their new sides. */
static void accept_pair(struct pair_refinement *r, const int32_t parts[2])
{
	for (int s = 0; s < 2; s++)
		for (int32_t i = r->first[parts[s]]; i < r->first[parts[s] + 1]; i++)
			r->part_of[r->members[i]] = parts[r->side[r->numbers[r->members[i]]]];
	/* Sizes are unchanged, so misplaced members can swap positions. */
	for (int32_t i = r->first[parts[0]], j = r->first[parts[1]]; i < r->first[parts[0] + 1]; i++) {
		int32_t v = r->members[i];
		if (r->part_of[v] == parts[0])
			continue;
		while (r->part_of[r->members[j]] == parts[1])
			j++;
		r->members[i] = r->members[j];
		r->members[j] = v;
	}
}

/* Lists the neighbouring parts of a part in `others`. */
static int32_t find_others(struct pair_refinement *r, int32_t part)
{
	const struct weighted_graph *g = r->graph;
	int32_t count = 0;

	r->seen[part] = part;
	for (int32_t i = r->first[part]; i < r->first[part + 1]; i++)
		for (int64_t e = g->offsets[r->members[i]]; e < g->offsets[r->members[i] + 1]; e++) {
			int32_t other = r->part_of[g->targets[e]];
			if (r->seen[other] == part)
				continue;
			r->seen[other] = part;
			/* Refines each pair once per round. */
			if (other > part || !r->active[other])
				r->others[count++] = other;
		}
	return count;
}

static bool refine_beside(struct pair_refinement *r, int32_t part)
{
	int32_t count = find_others(r, part);

	for (int32_t i = 0; i < count; i++) {
		int32_t parts[2] = {part, r->others[i]};
		double before = make_pair(r, parts), after;
		if (before <= 0)
			continue;
		after = bisection_refine(&r->pair, part_size(r, part), r->side);
		if (after < 0)
			return false;
		if (after >= before * (1 - 1e-9))
			continue;
		accept_pair(r, parts);
		r->later[parts[0]] = r->later[parts[1]] = 1;
	}
	return true;
}

static bool refine_round(struct pair_refinement *r, bool *changed)
{
	*changed = false;
	memset(r->later, 0, (size_t)r->parts);
	memset(r->seen, -1, (size_t)r->parts * sizeof *r->seen);
	for (int32_t part = 0; part < r->parts; part++)
		if (r->active[part] && !refine_beside(r, part))
			return false;
	for (int32_t part = 0; part < r->parts; part++)
		*changed |= r->later[part];
	memcpy(r->active, r->later, (size_t)r->parts);
	return true;
}

bool partition_refine(const struct weighted_graph *graph, int32_t parts, int32_t *part_of)
{
	struct pair_refinement r;
	bool changed = true, enough = true;

	if (parts < 2)
		return true;
	if (!refinement_make(&r, graph, parts, part_of))
		return false;
	memset(r.active, 1, (size_t)parts);
	for (int round = 0; enough && changed && round < ROUNDS; round++)
		enough = refine_round(&r, &changed);
	bisection_graph_release(&r.pair);
	free(r.memory);
	return enough;
}
