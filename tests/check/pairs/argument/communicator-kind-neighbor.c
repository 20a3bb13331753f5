/* pair: check=argument.communicator-kind ranks=3 at=0,1,2
 *
 * Calls with neighbours need a topology: a grid, a graph or a distributed graph. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int around[4] = {0}, one[1], next, last;
	MPI_Comm ring, graph, line;

	start(&argc, &argv);
	return_errors();
	next = (rank + 1) % size;
	last = (rank + size - 1) % size;
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, around, 1, MPI_INT, ring);
	expect(around[0] == last && around[1] == next);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
	                               MPI_INFO_NULL, 0, &graph);
	MPI_Neighbor_alltoall(&rank, 1, MPI_INT, one, 1, MPI_INT, graph);
	expect(one[0] == last);
	MPI_Graph_create(MPI_COMM_WORLD, 3, (int[]){1, 3, 4}, (int[]){1, 0, 2, 1}, 0, &line);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, around, 1, MPI_INT, line);
	expect(rank != 1 || (around[0] == 0 && around[1] == 2));
#ifdef WRONG
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, around, 1, MPI_INT, MPI_COMM_WORLD); /* FOUND */
#endif
	MPI_Comm_free(&line);
	MPI_Comm_free(&graph);
	MPI_Comm_free(&ring);
	return finish();
}
