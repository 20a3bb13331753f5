/* MPI_Sendrecv does both at the same time.
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
		MPI_Sendrecv(mine, COUNT, MPI_INT, 1 - rank, 0, yours, COUNT, MPI_INT, 1 - rank, 0,
		             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
