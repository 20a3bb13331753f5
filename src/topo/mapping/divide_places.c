/* The best of what is known for places: packed classes, consecutive places of a progression, and swaps after either. */
#include "topo/mapping/graph_rows.h"
#include "topo/mapping/places.h"

#include <stdlib.h>
#include <string.h>

/* Up to SMALL places all progressions are tried and places are swapped, up to TINY they are also divided by edges alone: as often as EFFORT
   edges are looked at. */
enum { SMALL = 1024, TINY = 512, EFFORT = 5000, MOST_TRIES = 8 };

int best_stride(int size, int per_node)
{
	double most = -1;
	int best = 1;

	for (int64_t stride = 1; stride < size; stride *= 2) {
		struct progression progression;
		double kept;

		progression_make(&progression, size, (int)stride);
		kept = progression_kept(&progression, per_node);
		if (kept > most) {
			most = kept;
			best = (int)stride;
		}
	}
	return best;
}

static void follow_progression(int size, int stride, int nodes, const int *sizes, int *node_of)
{
	struct progression progression;

	progression_make(&progression, size, stride);
	for (int node = 0, position = 0; node < nodes; node++)
		for (int i = 0; i < sizes[node]; i++)
			node_of[progression_place(&progression, position++)] = node;
}

/* The best progression in `node_of`. Returns its stride. */
static int divide_by_progression(int size, int nodes, const int *sizes, int *node_of)
{
	int best = best_stride(size, (size + nodes / 2) / nodes);
	int64_t least = INT64_MAX;

	for (int64_t stride = 1; size <= SMALL && stride < size; stride *= 2) {
		int64_t cut;

		follow_progression(size, (int)stride, nodes, sizes, node_of);
		cut = division_cut(GRAPH_BRUCK, size, node_of);
		if (cut < least) {
			least = cut;
			best = (int)stride;
		}
	}
	follow_progression(size, best, nodes, sizes, node_of);
	return best;
}

/* Keeps the better of a division and another one; the stride goes with it. */
static void keep_better(enum mapping_graph graph, int size, int *node_of, int *stride, const int *other,
                        int other_stride)
{
	if (division_cut(graph, size, other) >= division_cut(graph, size, node_of))
		return;
	memcpy(node_of, other, (size_t)size * sizeof *node_of);
	*stride = other_stride;
}

/* By edges alone: for sizes that have little structure. */
static bool divide_by_edges(enum mapping_graph graph, int size, int nodes, const int *sizes, int *node_of,
                            int *stride, int *other)
{
	struct graph_rows rows;
	int64_t tries;
	bool enough;

	if (!graph_rows_make(&rows, graph, size))
		return false;
	memcpy(other, node_of, (size_t)size * sizeof *other);
	enough = partition_refine(&rows.graph, nodes, other);
	if (enough)
		keep_better(graph, size, node_of, stride, other, 0);
	tries = EFFORT / (rows.offsets[size] + 1);
	tries = tries < 1 ? 1 : tries > MOST_TRIES ? MOST_TRIES : tries;
	enough = enough && partition_graph_tries(&rows.graph, nodes, sizes, (int)tries, other);
	if (enough)
		keep_better(graph, size, node_of, stride, other, 0);
	graph_rows_release(&rows);
	return enough;
}

bool divide_places(enum mapping_graph graph, int size, int nodes, const int *sizes, int *node_of, int *stride)
{
	bool power = (size & (size - 1)) == 0, small = size <= SMALL, enough;
	int *other;

	*stride = 0;
	enough = pack_classes(size, nodes, sizes, node_of) &&
	         (!small || swap_places(graph, size, nodes, node_of));
	if (!enough || power)
		return enough;
	other = malloc((size_t)size * sizeof *other);
	if (!other)
		return false;
	if (graph == GRAPH_BRUCK) {
		int found = divide_by_progression(size, nodes, sizes, other);

		keep_better(graph, size, node_of, stride, other, found);
		if (small) {
			enough = swap_places(graph, size, nodes, other);
			keep_better(graph, size, node_of, stride, other, 0);
		}
	}
	if (size <= TINY)
		enough = enough && divide_by_edges(graph, size, nodes, sizes, node_of, stride, other);
	free(other);
	return enough;
}
