/* The neighbours of a process in a communicator with a topology, in the order of neighbourhood collectives. */
#ifndef TARRY_JOB_MPI_NEIGHBOURS_H
#define TARRY_JOB_MPI_NEIGHBOURS_H

#include "job/mpi/flavour.h"

/* Ranks in the communicator; below 0: nobody, at the border of a grid. */
struct topology_neighbours {
	int source_count, dest_count;
	int *sources, *dests; /* to be freed by neighbours_release */
};

/* Without a topology, or without memory, there are none. */
void neighbours_find(struct topology_neighbours *lists, MPI_Comm handle, int rank);
void neighbours_release(struct topology_neighbours *lists);

#endif
