/* A ready send starts before its receive is posted. No process waits, because the message is small, but the MPI
 * standard forbids it: another library may lose the message.
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
		MPI_Rsend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		/* @mpi.ready-send-error rank=0 count=1 partner=1 */
		usleep(WORK_US);
	} else {
		usleep(WORK_US);
		MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
