/* Halo exchange with four neighbours on a periodic grid, with a little work in between: one round is four
 * receives, four sends and a wait. Its trace gives the bytes per MPI call. */
#include "../timed.h"

#include <mpi.h>

enum { SIDES = 4, CELLS = 64 };

static double cells[CELLS][CELLS], edges[SIDES][CELLS], halos[SIDES][CELLS];

static void find_neighbours(MPI_Comm grid, int *neighbours)
{
	MPI_Cart_shift(grid, 0, 1, &neighbours[0], &neighbours[1]);
	MPI_Cart_shift(grid, 1, 1, &neighbours[2], &neighbours[3]);
}

static void exchange(MPI_Comm grid, const int *neighbours)
{
	MPI_Request request[2 * SIDES];

	for (int side = 0; side < SIDES; side++)
		MPI_Irecv(halos[side], CELLS, MPI_DOUBLE, neighbours[side], side, grid, &request[side]);
	for (int side = 0; side < SIDES; side++)
		MPI_Isend(edges[side], CELLS, MPI_DOUBLE, neighbours[side], side ^ 1, grid,
		          &request[SIDES + side]);
	MPI_Waitall(2 * SIDES, request, MPI_STATUSES_IGNORE);
}

static void work(void)
{
	for (int i = 0; i < CELLS; i++)
		for (int j = 0; j < CELLS; j++)
			cells[i][j] = 0.5 * (cells[i][j] + halos[0][j] + halos[2][i]);
	for (int side = 0; side < SIDES; side++)
		memcpy(edges[side], cells[side], sizeof(edges[side]));
}

int main(int argc, char **argv)
{
	long rounds = argument(argc, argv, 1, 100000) / LAPS;
	int rank, size, neighbours[SIDES], dims[2] = {0, 0}, periods[2] = {1, 1};
	struct timing timing;
	MPI_Comm grid;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Dims_create(size, 2, dims);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	MPI_Comm_rank(grid, &rank);
	find_neighbours(grid, neighbours);
	begin(&timing);
	for (int lap = 0; lap < LAPS; lap++) {
		for (long i = 0; i < rounds; i++) {
			exchange(grid, neighbours);
			work();
		}
		end_lap(&timing);
	}
	MPI_Comm_free(&grid);
	MPI_Finalize();
	tell(&timing, rank, rounds, 2 * SIDES + 1);
	return 0;
}
