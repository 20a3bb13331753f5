/* tarry-test: ranks=2 exit=any incomplete=1
 *
 * Each rank waits for the other to receive. */
#include <mpi.h>

int main(int argc, char **argv)
{
	int rank;
	double values[2] = {0};

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 100; i++)
		MPI_Sendrecv(values, 1, MPI_DOUBLE, 1 - rank, 3, values + 1, 1, MPI_DOUBLE, 1 - rank, 3,
		             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Ssend(values, 2, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD); /* here */
	MPI_Recv(values, 2, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
