/* Rank 0 sends to rank 1, and only then receives from it: the two messages are sequential, although
 * they are independent.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { STEPS = 5, WORK_US = 2000, COUNT = 1 << 18 };

static int mine[COUNT], yours[COUNT];

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int step = 0; step < STEPS; step++) {
		usleep(WORK_US);
		if (rank == 0) {
			MPI_Send(mine, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD);
			MPI_Recv(yours, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			/* @mpi.close-send-recv rank=0 partner=0 */
		} else {
			MPI_Recv(yours, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Send(mine, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD);
		}
	}
	MPI_Finalize();
	return 0;
}
