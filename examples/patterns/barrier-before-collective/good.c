/* The sum over all ranks, without a barrier before it.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { STEPS = 40, WORK_US = 3000 };

int main(int argc, char **argv)
{
	double own = 1, sum = 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int step = 0; step < STEPS; step++) {
		usleep(WORK_US);
		MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	if (rank == 0)
		MPI_Recv(&sum, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		MPI_Send(&own, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
