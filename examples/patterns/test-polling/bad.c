/* A process asks again and again for a message that comes late, and does nothing else.
 *
 * tarry-example: ranks=2 */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7, done = 0;
	MPI_Request request;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		usleep(WORK_US);
		MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
		while (!done) {
			MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* @mpi.test-polling rank=1 */
			usleep(100);
		}
	}
	MPI_Finalize();
	return 0;
}
