/* The data of rank 0 is passed from each rank to the next.
 *
 * tarry-example: ranks=4 args=100 slow=MPI_Recv besides=mpi.late-standard-send,mpi.finalize-wait */
#include <mpi.h>
#include <stdlib.h>

enum { ROUNDS = 400, LENGTH = 448 };

int main(int argc, char **argv)
{
	double data[LENGTH] = {0};
	int rank, size;
	int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int round = 0; round < rounds; round++) {
		if (rank > 0)
			MPI_Recv(data, LENGTH, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		/* @mpi.serialised-chain rank=1,2 */
		if (rank + 1 < size)
			MPI_Send(data, LENGTH, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
