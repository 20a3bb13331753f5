/* Virtual topologies of neighbourhood operations.
 *
 *	cartesian	a periodic grid of two dimensions: four neighbours
 *	graph	process i sends to i + 1, i + 2, i + 4, … and receives from i - 1, i - 2, … */
#ifndef TARRY_BENCH_RUN_NEIGHBOURHOOD_H
#define TARRY_BENCH_RUN_NEIGHBOURHOOD_H

#include "base/arena.h"
#include "base/status.h"

#include <mpi.h>

/* Ranks; a process may occur twice or be its own neighbour. */
struct neighbour_lists {
	int *to, *from;
	int *way;  /* of each: the same number at both ends, so that they can agree on the data */
	int ways;  /* number of ways */
	int count; /* of sources, and of destinations */
};

/* NULL: cartesian. */
enum status topology_check(const char *name) MUST_CHECK;
int topology_neighbours(const char *name, int ranks);

/* Collective. Ranks do not change. */
int topology_make(const char *name, MPI_Comm comm, struct arena *arena, struct neighbour_lists *neighbours,
                  MPI_Comm *with_topology);

#endif
