/* Rank 0 receives from MPI_ANY_SOURCE, but only rank 1 sends.
 *
 * tarry-example: ranks=3 args=150 slow=MPI_Recv besides=mpi.finalize-wait */
#include <mpi.h>
#include <stdlib.h>

enum { MESSAGES = 2000, LENGTH = 256 };

int main(int argc, char **argv)
{
	double data[LENGTH] = {0};
	int rank;
	int messages = argc > 1 ? atoi(argv[1]) : MESSAGES;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < messages; i++) {
		if (rank == 1)
			MPI_Send(data, LENGTH, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
		if (rank == 0)
			MPI_Recv(data, LENGTH, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
			         MPI_STATUS_IGNORE);
		/* @mpi.needless-wildcard rank=0 */
	}
	MPI_Finalize();
	return 0;
}
