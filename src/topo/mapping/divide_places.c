/* Divides places among nodes by the best of several methods: packed classes, consecutive places of a
 * progression, swaps after either, and graph partitioning. */
#include "topo/mapping/anneal.h"
#include "topo/mapping/owned_graph.h"
#include "topo/mapping/places.h"

#include <stdlib.h>
#include <string.h>

/* Up to SMALL places all progressions are tried and places are swapped. Up to MIDDLING they are also
 * partitioned by edges, until about EFFORT edges were visited. */
enum { SMALL = 1024, MIDDLING = PLACES_WITH_EDGES, EFFORT = 20000, TRIES_MAX = 24 };

/* Random swaps at the end: per place, minimum, maximum. */
enum { SWAPS = 900, SWAPS_MIN = 100000, SWAPS_MAX = 1500000 };

const struct mapping_workers mapping_alone = {.me = 0, .count = 1};

/* The best division so far, and the next attempt. */
struct places_division {
	enum mapping_graph graph;
	int size, nodes;
	const int *sizes;
	const struct mapping_workers *workers;
	int *best; /* by place: its node */
	int64_t cut;
	struct progression progression; /* of the best division; stride 0: none */
	int *tried, *found;             /* `found`: the best of this worker in a phase */
	struct owned_graph rows;        /* up to MIDDLING places */
	int tries;                      /* attempts to partition by edges */
};

/* Writes a result to `tried`. False: out of memory. */
typedef bool division_task(struct places_division *d, int number);

/* Runs independent tasks and keeps the best result if it is an improvement. Returns its number, or -1. */
static bool run_phase(struct places_division *d, int tasks, division_task *run, int64_t *winner)
{
	const struct mapping_workers *workers = d->workers;
	size_t bytes = (size_t)d->size * sizeof *d->best;
	int64_t lowest_cut = INT64_MAX, number = INT64_MAX;
	bool enough = true;

	for (int task = workers->me; enough && task < tasks; task += workers->count) {
		enough = run(d, task);
		int64_t cut = enough ? division_cut(d->graph, d->size, d->tried) : 0;
		if (!enough || cut >= lowest_cut)
			continue;
		lowest_cut = cut;
		number = task;
		memcpy(d->found, d->tried, bytes);
	}
	if (!enough)
		lowest_cut = -1;
	if (!workers_min(workers, &lowest_cut, &number))
		return false;
	*winner = -1;
	if (lowest_cut >= d->cut)
		return true;
	*winner = number;
	d->cut = lowest_cut;
	d->progression = (struct progression){0};
	if (!workers_share(workers, number, d->found, bytes))
		return false;
	memcpy(d->best, d->found, bytes);
	return true;
}

static bool has_progressions(const struct places_division *d)
{
	return d->graph == GRAPH_BRUCK && (d->size & (d->size - 1)) != 0;
}

/* Lists the progressions to try: all for few places, then the one with the best estimate; for many places
 * only that one. Returns their number. */
static int progressions(const struct places_division *d)
{
	int count = 1;

	for (int64_t stride = 1; d->size <= SMALL && stride < d->size; stride *= 2)
		count++;
	return has_progressions(d) ? count : 0;
}

static void get_progression(const struct places_division *d, int number, struct progression *progression)
{
	if (number < progressions(d) - 1)
		progression_make(progression, d->size, 1 << number);
	else
		progression_choose(progression, d->size, (d->size + d->nodes / 2) / d->nodes);
}

static void follow_progression(struct places_division *d, int number)
{
	struct progression progression;

	get_progression(d, number, &progression);
	for (int node = 0, position = 0; node < d->nodes; node++)
		for (int i = 0; i < d->sizes[node]; i++)
			d->tried[progression_place(&progression, position++)] = node;
}

static bool run_start(struct places_division *d, int number)
{
	if (number) {
		follow_progression(d, number - 1);
		return true;
	}
	return pack_classes(d->size, d->nodes, d->sizes, d->tried) &&
	       (d->size > SMALL || swap_places(d->graph, d->size, d->nodes, d->tried));
}

/* Swaps after the best progression, or after the one with the best estimate if another method won. */
static bool run_swaps(struct places_division *d, int number)
{
	(void)number;
	if (d->progression.stride)
		memcpy(d->tried, d->best, (size_t)d->size * sizeof *d->tried);
	else
		follow_progression(d, progressions(d) - 1);
	return swap_places(d->graph, d->size, d->nodes, d->tried);
}

/* Refines the best, and partitions by edges: for sizes with little structure. */
static bool run_try(struct places_division *d, int number)
{
	if (number)
		return partition_graph_try(&d->rows.graph, d->nodes, d->sizes, number - 1, d->tried);
	memcpy(d->tried, d->best, (size_t)d->size * sizeof *d->tried);
	return partition_refine(&d->rows.graph, d->nodes, d->tried);
}

static bool run_improvement(struct places_division *d, int number)
{
	int64_t swaps = (int64_t)SWAPS * d->size;

	swaps = swaps < SWAPS_MIN ? SWAPS_MIN : swaps > SWAPS_MAX ? SWAPS_MAX : swaps;
	memcpy(d->tried, d->best, (size_t)d->size * sizeof *d->tried);
	return partition_walk(&d->rows.graph, d->nodes, swaps / PARTITION_WALKS, number, d->tried);
}

static bool divide_by_edges(struct places_division *d)
{
	int64_t winner, tries;
	bool made = owned_graph_of(&d->rows, d->graph, d->size), enough;

	if (!workers_agree(d->workers, made)) {
		if (made)
			owned_graph_release(&d->rows);
		return false;
	}
	tries = EFFORT / (d->rows.offsets[d->size] + 1);
	tries = tries < 1 ? 1 : tries > TRIES_MAX ? TRIES_MAX : tries;
	enough = run_phase(d, 1 + (int)tries, run_try, &winner) &&
	         run_phase(d, PARTITION_WALKS, run_improvement, &winner);
	owned_graph_release(&d->rows);
	return enough;
}

static bool run_phases(struct places_division *d)
{
	int64_t winner;

	if (!run_phase(d, 1 + progressions(d), run_start, &winner))
		return false;
	if (winner > 0)
		get_progression(d, (int)winner - 1, &d->progression);
	if (has_progressions(d) && d->size <= SMALL && !run_phase(d, 1, run_swaps, &winner))
		return false;
	return d->size > MIDDLING || divide_by_edges(d);
}

bool divide_places(enum mapping_graph graph, int size, int nodes, const int *sizes,
                   const struct mapping_workers *workers, int *node_of, struct progression *progression)
{
	struct places_division d = {.graph = graph,
	                            .size = size,
	                            .nodes = nodes,
	                            .sizes = sizes,
	                            .workers = workers,
	                            .best = node_of,
	                            .cut = INT64_MAX};
	bool enough;

	d.tried = malloc(2 * (size_t)size * sizeof *d.tried);
	d.found = d.tried + (d.tried ? size : 0);
	enough = workers_agree(workers, d.tried != NULL) && run_phases(&d);
	free(d.tried);
	*progression = d.progression;
	return enough;
}
