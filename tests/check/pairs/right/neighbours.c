/* pair: check=none ranks=6
 *
 * Neighbours of a grid with borders, and of a graph whose processes have different numbers of them. */
#include "../pair.h"

static void star(void)
{
	int one = 1, sources[5] = {1, 2, 3, 4, 5}, zero[1] = {0}, in[5] = {0}, out[5], counts[5], places[5];
	MPI_Comm comm;

	if (rank == 0)
		MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 5, sources, MPI_UNWEIGHTED, 0, NULL,
		                               MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
	else
		MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 1, zero,
		                               MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
	for (int i = 0; i < 5; i++) {
		out[i] = rank;
		counts[i] = i % 2;
		places[i] = i;
	}
	if (rank)
		counts[0] = (rank - 1) % 2;
	MPI_Neighbor_alltoallv(out, rank ? counts : NULL, rank ? zero : NULL, MPI_INT, rank ? NULL : in,
	                       rank ? NULL : counts, rank ? NULL : places, MPI_INT, comm);
	expect(rank || (in[0] == 0 && in[1] == 2 && in[3] == 4));
	MPI_Comm_free(&comm);
	(void)one;
}

int main(int argc, char **argv)
{
	int all[4] = {-1, -1, -1, -1}, given[4];
	MPI_Comm grid;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){3, 2}, (int[]){0, 1}, 0, &grid);
	for (int i = 0; i < 4; i++)
		given[i] = 10 * rank + i;
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, grid);
	expect(all[0] == (rank < 2 ? -1 : rank - 2) && all[2] == (rank ^ 1));
	MPI_Ineighbor_alltoall(given, 1, MPI_INT, all, 1, MPI_INT, grid, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(rank > 3 || all[1] == 10 * (rank + 2));
	MPI_Comm_free(&grid);
	star();
	return finish();
}
