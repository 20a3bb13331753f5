/* Rank 0 sends each number in a separate message.
 *
 * tarry-example: ranks=2 args=300 slow=MPI_Send whatif=mpi.small-messages */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { NUMBERS = 20000 };

static double numbers[NUMBERS];

int main(int argc, char **argv)
{
	int rank, count = argc > 1 ? atoi(argv[1]) : NUMBERS;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1)
		usleep(5000); /* the first messages arrive before their receives, and do not wait */
	for (int i = 0; i < count; i++) {
		if (rank == 0)
			MPI_Send(&numbers[i], 1, MPI_DOUBLE, 1, 0,
			         MPI_COMM_WORLD); /* @mpi.small-messages rank=0 */
		else
			MPI_Recv(&numbers[i], 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
