/* Both start early, work, and wait after the transfer. The ranks share the work of the bad program.
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
		MPI_Isend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
		usleep(WORK_US / 2);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else {
		MPI_Irecv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
		usleep(WORK_US / 2);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
