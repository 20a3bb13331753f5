/* In each step every rank receives a sum, works, adds its own part and passes the sum on: only one rank works at a time.
 *
 * tarry-example: ranks=4 besides=mpi.late-standard-send,mpi.barrier-wait,mpi.finalize-wait */
#include <mpi.h>
#include <unistd.h>

enum { STEPS = 12, WORK_US = 10000 };

int main(int argc, char **argv)
{
	double sum = 0;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int step = 0; step < STEPS; step++) {
		if (rank > 0)
			MPI_Recv(&sum, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		/* @mpi.serialised-work rank=1,2 total=0.24 */
		usleep(WORK_US);
		sum += 1;
		if (rank + 1 < size)
			MPI_Send(&sum, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
