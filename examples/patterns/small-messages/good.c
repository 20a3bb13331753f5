/* Rank 0 sends all numbers in one message.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>

enum { NUMBERS = 20000 };

static double numbers[NUMBERS];

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		MPI_Send(numbers, NUMBERS, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
	else
		MPI_Recv(numbers, NUMBERS, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
