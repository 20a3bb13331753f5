#include "bench/run/neighbourhood.h"

#include <stdint.h>
#include <string.h>

enum { DIMENSIONS = 2 };

static int grid_neighbours(int ranks)
{
	(void)ranks;
	return 2 * DIMENSIONS;
}

/* In the order of MPI: by dimension, the lower neighbour first. */
static int make_grid(MPI_Comm comm, int ranks, struct neighbour_lists *neighbours, MPI_Comm *made)
{
	int sizes[DIMENSIONS] = {0}, no_edges[DIMENSIONS], code;

	for (int i = 0; i < DIMENSIONS; i++)
		no_edges[i] = 1;
	MPI_Dims_create(ranks, DIMENSIONS, sizes);
	code = MPI_Cart_create(comm, DIMENSIONS, sizes, no_edges, 0, made);
	for (int i = 0; i < DIMENSIONS && code == MPI_SUCCESS; i++)
		code = MPI_Cart_shift(*made, i, 1, &neighbours->to[2 * i], &neighbours->to[2 * i + 1]);
	memcpy(neighbours->from, neighbours->to, sizeof(int[2 * DIMENSIONS]));
	/* Data sent down in a dimension arrives from above, so both have the same way. */
	for (int i = 0; i < 2 * DIMENSIONS; i++)
		neighbours->way[i] = i / 2;
	neighbours->ways = DIMENSIONS;
	return code;
}

static int graph_neighbours(int ranks)
{
	int count = 0;

	for (int64_t distance = 1; distance < ranks; distance *= 2)
		count++;
	return count;
}

static int make_graph(MPI_Comm comm, int ranks, struct neighbour_lists *neighbours, MPI_Comm *made)
{
	int rank;

	MPI_Comm_rank(comm, &rank);
	for (int i = 0, distance = 1; i < neighbours->count; i++, distance *= 2) {
		neighbours->to[i] = (int)(((int64_t)rank + distance) % ranks);
		neighbours->from[i] = (int)(((int64_t)rank - distance + ranks) % ranks);
		neighbours->way[i] = i;
	}
	neighbours->ways = neighbours->count;
	return MPI_Dist_graph_create_adjacent(comm, neighbours->count, neighbours->from, MPI_UNWEIGHTED,
	                                      neighbours->count, neighbours->to, MPI_UNWEIGHTED,
	                                      MPI_INFO_NULL, 0, made);
}

static const struct topology {
	const char *name;
	int (*neighbours)(int ranks);
	int (*make)(MPI_Comm comm, int ranks, struct neighbour_lists *neighbours, MPI_Comm *made);
} topologies[] = {
	{"cartesian", grid_neighbours, make_grid},
	{"graph", graph_neighbours, make_graph},
};

static const struct topology *find(const char *name)
{
	for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++)
		if (!name || strcmp(name, topologies[i].name) == 0)
			return &topologies[i];
	return NULL;
}

enum status topology_check(const char *name)
{
	return find(name) ? OK : fail("unknown topology '%s': take cartesian or graph", name);
}

int topology_neighbours(const char *name, int ranks)
{
	return find(name)->neighbours(ranks);
}

int topology_make(const char *name, MPI_Comm comm, struct arena *arena, struct neighbour_lists *neighbours,
                  MPI_Comm *with_topology)
{
	int ranks;

	MPI_Comm_size(comm, &ranks);
	neighbours->count = topology_neighbours(name, ranks);
	neighbours->to = arena_array(arena, int, (size_t)neighbours->count);
	neighbours->from = arena_array(arena, int, (size_t)neighbours->count);
	neighbours->way = arena_array(arena, int, (size_t)neighbours->count);
	return find(name)->make(comm, ranks, neighbours, with_topology);
}
