/* The process does its work first and then waits for the message. The ranks share the work of the bad program.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7;
	MPI_Request request;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 3; i++) {
		usleep(WORK_US / 2);
		if (rank == 0) {
			MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		} else {
			MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		}
	}
	MPI_Finalize();
	return 0;
}
