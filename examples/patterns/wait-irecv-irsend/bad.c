/* Rank 1 waits directly after MPI_Irecv; rank 0 works before it sends with MPI_Irsend.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 300000 };

int main(int argc, char **argv)
{
	int rank, data = 0;
	MPI_Request request;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		usleep(WORK_US);
		MPI_Irsend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else {
		MPI_Irecv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		/* @mpi.wait-irecv-irsend rank=1 total=0.3 count=1 partner=0 */
	}
	MPI_Finalize();
	return 0;
}
