/* A barrier precedes each sum over all ranks. MPI_Allreduce alone enforces the same order. The message from any source, after the
 * loop, needs no barrier in it.
 *
 * tarry-example: ranks=2 slow=MPI_Barrier besides=mpi.nxn-wait,mpi.barrier-wait,mpi.finalize-wait */
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
		MPI_Barrier(MPI_COMM_WORLD); /* @mpi.barrier-before-collective rank=0,1 */
		MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	if (rank == 0)
		MPI_Recv(&sum, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		MPI_Send(&own, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
