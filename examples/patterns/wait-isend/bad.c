/* Rank 0 completes its MPI_Isend at once; rank 1 works before it receives.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 300000, COUNT = 1 << 16 };

static int data[COUNT];

int main(int argc, char **argv)
{
	int rank;
	MPI_Request request;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Isend(data, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		/* @mpi.wait-isend rank=0 total=0.3 count=1 partner=1 */
	} else {
		usleep(WORK_US);
		MPI_Recv(data, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
