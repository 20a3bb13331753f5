/* The best of what is known for places: packed classes, consecutive places of a progression, and swaps after either. */
#include "topo/mapping/anneal.h"
#include "topo/mapping/graph_rows.h"
#include "topo/mapping/places.h"

#include <stdlib.h>
#include <string.h>

/* Up to SMALL places all progressions are tried and places are swapped, up to MIDDLING they are also divided by edges alone: as often as
   EFFORT edges are looked at. */
enum { SMALL = 1024, MIDDLING = 16384, EFFORT = 20000, MOST_TRIES = 24 };

/* Random swaps in the end: for each place, but at least and at most. */
enum { SWAPS = 900, LEAST_SWAPS = 100000, MOST_SWAPS = 1500000 };

/* Two divisions, of which one is to be kept. */
struct rivals {
	enum mapping_graph graph;
	int size, nodes;
	const int *sizes;
	int *best;                      /* the node of each place */
	struct progression progression; /* of the best, or with stride 0 */
	int *tried;
};

/* Keeps what was tried if it is better. */
static void keep_better(struct rivals *r, const struct progression *progression)
{
	if (division_cut(r->graph, r->size, r->tried) >= division_cut(r->graph, r->size, r->best))
		return;
	memcpy(r->best, r->tried, (size_t)r->size * sizeof *r->best);
	r->progression = progression ? *progression : (struct progression){0};
}

static void follow_progression(struct rivals *r, const struct progression *progression)
{
	for (int node = 0, position = 0; node < r->nodes; node++)
		for (int i = 0; i < r->sizes[node]; i++)
			r->tried[progression_place(progression, position++)] = node;
}

/* The progression that should be the best; of few places, all of them; and swaps after the best. */
static bool try_progressions(struct rivals *r)
{
	struct progression progression;

	for (int64_t stride = 1; r->size <= SMALL && stride < r->size; stride *= 2) {
		progression_make(&progression, r->size, (int)stride);
		follow_progression(r, &progression);
		keep_better(r, &progression);
	}
	progression_choose(&progression, r->size, (r->size + r->nodes / 2) / r->nodes);
	follow_progression(r, &progression);
	keep_better(r, &progression);
	if (r->size > SMALL)
		return true;
	if (r->progression.stride)
		follow_progression(r, &r->progression);
	if (!swap_places(r->graph, r->size, r->nodes, r->tried))
		return false;
	keep_better(r, NULL);
	return true;
}

/* By edges alone: for sizes that have little structure. */
static bool divide_by_edges(struct rivals *r)
{
	struct graph_rows rows;
	int64_t tries, swaps = (int64_t)SWAPS * r->size;
	bool enough;

	if (!graph_rows_make(&rows, r->graph, r->size))
		return false;
	memcpy(r->tried, r->best, (size_t)r->size * sizeof *r->tried);
	enough = partition_refine(&rows.graph, r->nodes, r->tried);
	if (enough)
		keep_better(r, NULL);
	tries = EFFORT / (rows.offsets[r->size] + 1);
	tries = tries < 1 ? 1 : tries > MOST_TRIES ? MOST_TRIES : tries;
	enough = enough && partition_graph_tries(&rows.graph, r->nodes, r->sizes, (int)tries, r->tried);
	if (enough)
		keep_better(r, NULL);
	memcpy(r->tried, r->best, (size_t)r->size * sizeof *r->tried);
	swaps = swaps < LEAST_SWAPS ? LEAST_SWAPS : swaps > MOST_SWAPS ? MOST_SWAPS : swaps;
	enough = enough && partition_improve(&rows.graph, r->nodes, swaps, r->tried);
	if (enough)
		keep_better(r, NULL);
	graph_rows_release(&rows);
	return enough;
}

bool divide_places(enum mapping_graph graph, int size, int nodes, const int *sizes, int *node_of,
                   struct progression *progression)
{
	struct rivals r = {.graph = graph, .size = size, .nodes = nodes, .sizes = sizes, .best = node_of};
	bool power = (size & (size - 1)) == 0, enough;

	*progression = r.progression;
	enough = pack_classes(size, nodes, sizes, node_of) &&
	         (size > SMALL || swap_places(graph, size, nodes, node_of));
	if (!enough || (power && size > MIDDLING))
		return enough;
	r.tried = malloc((size_t)size * sizeof *r.tried);
	if (!r.tried)
		return false;
	if (graph == GRAPH_BRUCK && !power)
		enough = try_progressions(&r);
	if (size <= MIDDLING)
		enough = enough && divide_by_edges(&r);
	free(r.tried);
	*progression = r.progression;
	return enough;
}
