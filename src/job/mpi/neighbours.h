/* The neighbours of a process in a communicator with a topology, in the order of neighbourhood collectives. */
#ifndef TARRY_JOB_MPI_NEIGHBOURS_H
#define TARRY_JOB_MPI_NEIGHBOURS_H

#include "job/mpi/flavour.h"

/* Ranks in the communicator; below 0: none, at the border of a grid. */
struct topology_neighbours {
	int source_count, dest_count;
	int *sources, *dests; /* neighbours_release() frees them */
};

/* Empty without a topology, or if out of memory. */
void neighbours_find(struct topology_neighbours *lists, MPI_Comm handle, int rank);
void neighbours_release(struct topology_neighbours *lists);

#endif
