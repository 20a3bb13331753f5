/* Follows the advice: sends the edges as early as possible, before the inner points are computed. The
 * edges are computed when those of the neighbours have arrived.
 *
 * tarry-example: ranks=4 */
#include "strip.h"

static void calculate(void)
{
	MPI_Request sent[2][2] = {{MPI_REQUEST_NULL, MPI_REQUEST_NULL}, {MPI_REQUEST_NULL, MPI_REQUEST_NULL}};

	for (int i = 0; i < ITERATIONS; i++) {
		double(*grid)[WIDTH] = grids[i % 2];

		MPI_Isend(grid[1], WIDTH, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &sent[i % 2][0]);
		MPI_Isend(grid[ROWS], WIDTH, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &sent[i % 2][1]);
		compute(i, 2, ROWS - 1);
		MPI_Recv(grid[0], WIDTH, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(grid[ROWS + 1], WIDTH, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		/* The data of the previous iteration is overwritten now. */
		MPI_Waitall(2, sent[(i + 1) % 2], MPI_STATUSES_IGNORE);
		compute(i, 1, 1);
		compute(i, ROWS, ROWS);
	}
	MPI_Waitall(4, sent[0], MPI_STATUSES_IGNORE);
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
