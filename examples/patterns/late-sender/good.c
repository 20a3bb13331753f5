/* Rank 1 sends before its work; rank 0 also works before it waits.
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
		usleep(WORK_US);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	} else {
		MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
		usleep(WORK_US);
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
