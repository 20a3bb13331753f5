/* Rank 0 works between MPI_Irsend and MPI_Wait, as long as rank 1 does. The ranks share the work of the bad program.
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
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Irsend(data, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
		usleep(WORK_US / 2);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else {
		MPI_Irecv(data, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
		MPI_Barrier(MPI_COMM_WORLD);
		usleep(WORK_US / 2);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
