/* Rank 0 receives a message from each other rank in each step, in rank order:
 * while it waits for that of rank 1, the others have already arrived.
 *
 * tarry-example: ranks=4 besides=mpi.late-broadcast,mpi.finalize-wait */
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
			MPI_Recv(&result, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			/* @mpi.wrong-order-sources rank=0 total=0.2 partner=1 */
			usleep(WORK_US);
		}
		if (rank != 0)
			send_result(rank, &result);
	}
	MPI_Finalize();
	return 0;
}
