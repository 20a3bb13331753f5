/* Rank 0 receives a message from each other rank in each step, in order of arrival: while that of rank 1
 * is missing, it works on the others.
 *
 * tarry-example: ranks=4 */
#include <mpi.h>
#include <unistd.h>

enum { RANKS = 4, STEPS = 5, LATE_US = 40000, WORK_US = 20000 };

/* Rank 1 sends late. */
static void send_result(int rank, int *result)
{
	if (rank == 1)
		usleep(LATE_US);
	MPI_Send(result, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	usleep(rank == 1 ? WORK_US : LATE_US + WORK_US);
}

int main(int argc, char **argv)
{
	int rank, step_number = 0, result = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int step = 0; step < STEPS; step++) {
		MPI_Bcast(&step_number, 1, MPI_INT, 0, MPI_COMM_WORLD);
		for (int other = 1; rank == 0 && other < RANKS; other++) {
			MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			usleep(WORK_US);
		}
		if (rank != 0)
			send_result(rank, &result);
	}
	MPI_Finalize();
	return 0;
}
