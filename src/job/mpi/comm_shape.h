/* Size and topology of a communicator, and the neighbours of this process in it, from MPI.
 *
 *	struct comm_shape shape;
 *	struct topology_neighbours lists;
 *	if (comm_shape_find(&shape, comm)) {
 *		neighbours_find(&lists, comm, &shape);
 *		…
 *		neighbours_release(&lists);
 *	} */
#ifndef TARRY_JOB_MPI_COMM_SHAPE_H
#define TARRY_JOB_MPI_COMM_SHAPE_H

#include "job/mpi/flavour.h"

#include <stdbool.h>
#include <stdint.h>

enum comm_topology { TOPOLOGY_NONE, TOPOLOGY_CART, TOPOLOGY_GRAPH, TOPOLOGY_DIST_GRAPH };

struct comm_shape {
	int32_t rank, size;
	int32_t peers; /* possible destinations: the size of the remote group of an intercommunicator */
	int32_t sources, destinations; /* neighbours; 0 without a topology */
	int32_t dimensions;            /* of a Cartesian topology */
	bool inter;
	uint8_t topology; /* enum comm_topology */
};

/* False: MPI returned an error, and some members are 0. */
bool comm_shape_find(struct comm_shape *shape, MPI_Comm comm);

/* Ranks in the communicator, in the order of neighbourhood collectives. Negative: no neighbour, at the border of a grid. */
struct topology_neighbours {
	int source_count, dest_count;
	int *sources, *dests; /* neighbours_release() frees them */
};

/* The lists are empty without a topology, or if out of memory. */
void neighbours_find(struct topology_neighbours *lists, MPI_Comm comm, const struct comm_shape *shape);
void neighbours_release(struct topology_neighbours *lists);

#endif
