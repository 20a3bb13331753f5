#include "job/mpi/comm_shape.h"

#include "job/mpi/host.h"

#include <stdlib.h>
#include <string.h>

static bool find_topology(struct comm_shape *shape, MPI_Comm comm)
{
	int topology = MPI_UNDEFINED, weighted;

	if (PMPI_Topo_test(comm, &topology) != MPI_SUCCESS)
		return false;
	if (topology == MPI_DIST_GRAPH) {
		shape->topology = TOPOLOGY_DIST_GRAPH;
		return PMPI_Dist_graph_neighbors_count(comm, &shape->sources, &shape->destinations,
		                                       &weighted) == MPI_SUCCESS;
	}
	if (topology == MPI_GRAPH) {
		shape->topology = TOPOLOGY_GRAPH;
		if (PMPI_Graph_neighbors_count(comm, shape->rank, &shape->sources) != MPI_SUCCESS)
			return false;
	} else if (topology == MPI_CART) {
		shape->topology = TOPOLOGY_CART;
		if (PMPI_Cartdim_get(comm, &shape->dimensions) != MPI_SUCCESS)
			return false;
		shape->sources = 2 * shape->dimensions;
	}
	shape->destinations = shape->sources;
	return true;
}

bool comm_shape_find(struct comm_shape *shape, MPI_Comm comm)
{
	int inter = 0;

	*shape = (struct comm_shape){0};
	if (PMPI_Comm_rank(comm, &shape->rank) != MPI_SUCCESS ||
	    PMPI_Comm_size(comm, &shape->size) != MPI_SUCCESS ||
	    PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
		return false;
	shape->inter = inter;
	shape->peers = shape->size;
	return inter ? PMPI_Comm_remote_size(comm, &shape->peers) == MPI_SUCCESS : find_topology(shape, comm);
}

static bool make_room(struct topology_neighbours *lists, const struct comm_shape *shape)
{
	lists->sources = host_table((size_t)shape->sources + 1, sizeof *lists->sources);
	lists->dests = host_table((size_t)shape->destinations + 1, sizeof *lists->dests);
	if (!lists->sources || !lists->dests) {
		neighbours_release(lists);
		return false;
	}
	lists->source_count = shape->sources;
	lists->dest_count = shape->destinations;
	return true;
}

static void find_in_dist_graph(struct topology_neighbours *lists, MPI_Comm comm)
{
	const size_t edges = (size_t)lists->source_count + (size_t)lists->dest_count;
	int *weights = host_table(edges + 1, sizeof *weights);

	if (weights)
		PMPI_Dist_graph_neighbors(comm, lists->source_count, lists->sources, weights,
		                          lists->dest_count, lists->dests, weights + lists->source_count);
	else
		neighbours_release(lists);
	free(weights);
}

void neighbours_find(struct topology_neighbours *lists, MPI_Comm comm, const struct comm_shape *shape)
{
	*lists = (struct topology_neighbours){0};
	if (shape->topology == TOPOLOGY_NONE || !make_room(lists, shape))
		return;
	if (shape->topology == TOPOLOGY_DIST_GRAPH) {
		find_in_dist_graph(lists, comm);
		return;
	}
	if (shape->topology == TOPOLOGY_GRAPH)
		PMPI_Graph_neighbors(comm, shape->rank, shape->sources, lists->sources);
	else /* both neighbours in each dimension */
		for (int i = 0; i < shape->dimensions; i++)
			PMPI_Cart_shift(comm, i, 1, &lists->sources[2 * i], &lists->sources[2 * i + 1]);
	memcpy(lists->dests, lists->sources, (size_t)shape->sources * sizeof *lists->dests);
}

void neighbours_release(struct topology_neighbours *lists)
{
	free(lists->sources);
	free(lists->dests);
	*lists = (struct topology_neighbours){0};
}
