/* Rank 0 waits for a message and for a barrier in one call: first for the message, then for the barrier.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 300000 };

int main(int argc, char **argv)
{
	int rank, data = 0;
	MPI_Request requests[2];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Irecv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
		MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		/* @mpi.late-sender rank=0 total=0.3 count=1 partner=1 */
		/* @mpi.barrier-wait rank=0 total=0.3 count=1 partner=1 */
	} else {
		usleep(WORK_US);
		MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		usleep(WORK_US);
		MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
