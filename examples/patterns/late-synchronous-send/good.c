/* Rank 0 sends as soon as possible, then works. Rank 1 receives first too, because MPI_Ssend waits for it.
 * The ranks share the work of the bad program.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 300000 };

int main(int argc, char **argv)
{
	int rank, data = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Ssend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		usleep(WORK_US / 2);
	} else {
		MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		usleep(WORK_US / 2);
	}
	MPI_Finalize();
	return 0;
}
