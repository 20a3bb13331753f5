/* Two neighbours exchange a row in each step and wait for it. Only then do they work on their own part, which does not need the row.
 *
 * tarry-example: ranks=2 slow=MPI_Waitall besides=mpi.nxn-wait,mpi.wait-irecv-isend,mpi.finalize-wait whatif=mpi.no-overlap */
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
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		/* @mpi.no-overlap rank=0,1 @mpi.wait-for-transfer rank=0,1 */
		usleep(WORK_US);
	}
	MPI_Finalize();
	return 0;
}
