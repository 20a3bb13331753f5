/* Divides a few neighbouring parts again and again. This moves whole groups of vertices, which single
 * moves and swaps cannot do if the edges inside groups are heavy. */
#include "topo/mapping/anneal.h"
#include "topo/mapping/owned_graph.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 4, ATTEMPTS = 8 };

struct redivision {
	const struct weighted_graph *graph;
	int32_t *part_of;
	int32_t *first, *members; /* by part */
	int32_t *numbers, *vertices, *found;
	struct rng rng;
	int32_t parts[PARTS_MAX], sizes[PARTS_MAX], count; /* to be divided */
};

static bool redivision_make(struct redivision *r, const struct weighted_graph *graph, int32_t parts,
                            int32_t *part_of)
{
	size_t n = (size_t)graph->vertices;
	int32_t *memory = calloc((size_t)parts + 2 + 4 * n, sizeof *memory);

	if (!memory)
		return false;
	*r = (struct redivision){.graph = graph, .part_of = part_of, .first = memory};
	r->members = memory + parts + 2;
	r->numbers = r->members + n;
	r->vertices = r->numbers + n;
	r->found = r->vertices + n;
	partition_members(graph->vertices, parts, part_of, r->first, r->members);
	return true;
}

static bool is_chosen(const struct redivision *r, int32_t part)
{
	for (int32_t i = 0; i < r->count; i++)
		if (r->parts[i] == part)
			return true;
	return false;
}

/* Lists the vertices of the chosen parts in `vertices`. Returns their number. */
static int32_t collect_vertices(struct redivision *r)
{
	int32_t count = 0;

	for (int32_t i = 0; i < r->count; i++) {
		int32_t begin = r->first[r->parts[i]];
		r->sizes[i] = r->first[r->parts[i] + 1] - begin;
		memcpy(r->vertices + count, r->members + begin, (size_t)r->sizes[i] * sizeof *r->members);
		count += r->sizes[i];
	}
	for (int32_t i = count - 1; i > 0; i--) {
		int32_t other = (int32_t)rng_below(&r->rng, (uint32_t)i + 1), v = r->vertices[i];
		r->vertices[i] = r->vertices[other];
		r->vertices[other] = v;
	}
	for (int32_t i = 0; i < count; i++)
		r->numbers[r->vertices[i]] = i;
	return count;
}

static bool divide_some(struct redivision *r)
{
	struct owned_graph group;
	double before;
	int32_t count;
	bool enough;

	/* Two to four parts: a random one and neighbours of the chosen ones. */
	const struct weighted_graph *g = r->graph;
	int32_t wanted = 2 + (int32_t)rng_below(&r->rng, PARTS_MAX - 1);
	r->count = 0;
	r->parts[r->count++] = r->part_of[rng_below(&r->rng, (uint32_t)g->vertices)];
	for (int i = 0; i < ATTEMPTS && r->count < wanted; i++) {
		int32_t part = r->parts[rng_below(&r->rng, (uint32_t)r->count)];
		int32_t size = r->first[part + 1] - r->first[part];
		int32_t v = r->members[r->first[part] + (int32_t)rng_below(&r->rng, (uint32_t)size)];
		int64_t degree = g->offsets[v + 1] - g->offsets[v];
		if (!degree)
			continue;
		part = r->part_of[g->targets[g->offsets[v] + rng_below(&r->rng, (uint32_t)degree)]];
		if (!is_chosen(r, part))
			r->parts[r->count++] = part;
	}
	count = collect_vertices(r);
	if (r->count < 2 || !owned_graph_induced(&group, r->graph, r->vertices, count, r->numbers))
		return r->count < 2;
	for (int32_t i = 0; i < count; i++)
		r->found[i] = r->part_of[r->vertices[i]];
	before = partition_cut(&group.graph, r->found);
	enough = partition_graph_tries(&group.graph, r->count, r->sizes, 1, r->found);
	if (enough && partition_cut(&group.graph, r->found) < before * (1 - 1e-9)) {
		int32_t next[PARTS_MAX];
		for (int32_t i = 0; i < r->count; i++)
			next[i] = r->first[r->parts[i]];
		for (int32_t i = 0; i < count; i++) {
			int32_t which = r->found[i];
			r->part_of[r->vertices[i]] = r->parts[which];
			r->members[next[which]++] = r->vertices[i];
		}
	}
	owned_graph_release(&group);
	return enough;
}

bool partition_redivide(const struct weighted_graph *graph, int32_t parts, int rounds, uint64_t seed,
                        int32_t *part_of)
{
	struct redivision r;
	bool enough = true;

	if (!redivision_make(&r, graph, parts, part_of))
		return false;
	r.rng = (struct rng){.state = seed};
	for (int i = 0; enough && graph->vertices && i < rounds; i++)
		enough = divide_some(&r);
	free(r.first);
	return enough;
}
