/* Rank 1 works before it receives; rank 0 waits in MPI_Rsend. This is also an error: the receive must be
 * posted before a ready send.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 300000, COUNT = 1 << 16 };

static int data[COUNT];

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Rsend(data, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD);
		/* @mpi.early-ready-send rank=0 total=0.3 count=1 partner=1 */
		/* @mpi.ready-send-error rank=0 partner=1 */
	} else {
		usleep(WORK_US);
		MPI_Recv(data, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
