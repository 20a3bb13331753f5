/* All ranks that have the data of rank 0 help to distribute it.
 *
 * tarry-example: ranks=4 args=100 slow=MPI_Recv */
#include <mpi.h>
#include <stdlib.h>

enum { ROUNDS = 400, LENGTH = 448 };

int main(int argc, char **argv)
{
	double data[LENGTH] = {0};
	int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;

	MPI_Init(&argc, &argv);
	for (int round = 0; round < rounds; round++)
		MPI_Bcast(data, LENGTH, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
