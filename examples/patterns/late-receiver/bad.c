/* Rank 0 completes a barrier and a large message in one call: it waits for the barrier first, then for the
 * receiver of the message.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 300000, COUNT = 1 << 16 };

static int data[COUNT];

int main(int argc, char **argv)
{
	int rank;
	MPI_Request requests[2];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Isend(data, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
		MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		/* @mpi.barrier-wait rank=0 total=0.3 count=1 partner=1 */
		/* @mpi.late-receiver rank=0 total=0.3 count=1 partner=1 */
	} else {
		usleep(WORK_US);
		MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
		usleep(WORK_US);
		MPI_Recv(data, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
