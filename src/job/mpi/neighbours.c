#include "job/mpi/neighbours.h"

#include "job/mpi/host.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct topology_neighbours *lists, int sources, int dests)
{
	lists->sources = host_table((size_t)sources + 1, sizeof *lists->sources);
	lists->dests = host_table((size_t)dests + 1, sizeof *lists->dests);
	if (!lists->sources || !lists->dests) {
		neighbours_release(lists);
		return false;
	}
	lists->source_count = sources;
	lists->dest_count = dests;
	return true;
}

static void copy_to_dests(struct topology_neighbours *lists)
{
	memcpy(lists->dests, lists->sources, (size_t)lists->source_count * sizeof *lists->dests);
}

/* Both neighbours in each dimension. */
static void find_in_grid(struct topology_neighbours *lists, MPI_Comm handle)
{
	int dimensions = 0;

	PMPI_Cartdim_get(handle, &dimensions);
	if (!make_room(lists, 2 * dimensions, 2 * dimensions))
		return;
	for (int i = 0; i < dimensions; i++)
		PMPI_Cart_shift(handle, i, 1, &lists->sources[2 * i], &lists->sources[2 * i + 1]);
	copy_to_dests(lists);
}

static void find_in_graph(struct topology_neighbours *lists, MPI_Comm handle, int rank)
{
	int count = 0;

	PMPI_Graph_neighbors_count(handle, rank, &count);
	if (!make_room(lists, count, count))
		return;
	PMPI_Graph_neighbors(handle, rank, count, lists->sources);
	copy_to_dests(lists);
}

static void find_in_dist_graph(struct topology_neighbours *lists, MPI_Comm handle)
{
	int sources = 0, dests = 0, weighted = 0, *weights;

	PMPI_Dist_graph_neighbors_count(handle, &sources, &dests, &weighted);
	weights = host_table((size_t)sources + (size_t)dests + 1, sizeof *weights);
	if (weights && make_room(lists, sources, dests))
		PMPI_Dist_graph_neighbors(handle, sources, lists->sources, weights, dests, lists->dests,
		                          weights + sources);
	free(weights);
}

void neighbours_find(struct topology_neighbours *lists, MPI_Comm handle, int rank)
{
	int kind = MPI_UNDEFINED;

	*lists = (struct topology_neighbours){0};
	PMPI_Topo_test(handle, &kind);
	if (kind == MPI_CART)
		find_in_grid(lists, handle);
	else if (kind == MPI_GRAPH)
		find_in_graph(lists, handle, rank);
	else if (kind == MPI_DIST_GRAPH)
		find_in_dist_graph(lists, handle);
}

void neighbours_release(struct topology_neighbours *lists)
{
	free(lists->sources);
	free(lists->dests);
	*lists = (struct topology_neighbours){0};
}
