/* Rank 1 posts its receives before it works: all messages have arrived when it completes them.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { MESSAGES = 20, NUMBERS = 100, WORK_US = 100000 };

static double numbers[MESSAGES][NUMBERS];

int main(int argc, char **argv)
{
	MPI_Request requests[MESSAGES];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < MESSAGES && rank == 0; i++)
		MPI_Send(numbers[i], NUMBERS, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
	for (int i = 0; i < MESSAGES && rank == 1; i++)
		MPI_Irecv(numbers[i], NUMBERS, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &requests[i]);
	usleep(WORK_US);
	if (rank == 1)
		MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
	MPI_Finalize();
	return 0;
}
