/* The receive is posted, and rank 0 knows it, before the ready send. The ranks share the work of the bad program.
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
		MPI_Rsend(data, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD);
		usleep(WORK_US / 2);
	} else {
		MPI_Irecv(data, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		usleep(WORK_US / 2);
	}
	MPI_Finalize();
	return 0;
}
