/* The neighbours work on their own part while the rows are on their way.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { STEPS = 40, NUMBERS = 100, WORK_US = 5000 };

static double own[NUMBERS], row[NUMBERS];

int main(int argc, char **argv)
{
	MPI_Request requests[2];
	double error = 1, most;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int step = 0; step < STEPS; step++) {
		MPI_Allreduce(&error, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
		MPI_Irecv(row, NUMBERS, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(own, NUMBERS, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
		usleep(WORK_US);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
