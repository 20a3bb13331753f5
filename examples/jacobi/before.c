/* A first version of Jacobi iterations: compute the strip, send its edges, receive the neighbours'.
 *
 * tarry-example: ranks=4 */
#include "strip.h"

static void send(double (*grid)[WIDTH])
{
	MPI_Send(grid[1], WIDTH, MPI_DOUBLE, up, 0, MPI_COMM_WORLD);
	MPI_Send(grid[ROWS], WIDTH, MPI_DOUBLE, down, 0, MPI_COMM_WORLD);
}

static void receive(double (*grid)[WIDTH])
{
	MPI_Recv(grid[0], WIDTH, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(grid[ROWS + 1], WIDTH, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void calculate(void)
{
	for (int i = 0; i < ITERATIONS; i++) {
		double(*new)[WIDTH] = grids[(i + 1) % 2];

		compute(i, 1, ROWS);
		/* Neighbours in the opposite order: a send may wait for its receive. */
		if (rank % 2 == 0) {
			send(new);
			receive(new);
		} else {
			receive(new);
			send(new);
		}
	}
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	strip_begin();
	double started = MPI_Wtime();
	calculate();
	strip_end(started);
	MPI_Finalize();
	return 0;
}
