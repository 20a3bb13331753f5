/* A process polls for late messages and does nothing else, except that it sleeps between some tests.
 *
 * tarry-example: ranks=2 critical=0 whatif=balanced */
#include <mpi.h>
#include <unistd.h>

enum { WORK_US = 200000 };

int main(int argc, char **argv)
{
	int rank;
	int value = 7, done = 0, index;
	MPI_Request request;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		for (int i = 0; i < 3; i++) {
			usleep(WORK_US);
			MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		}
	} else {
		MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
		while (!done) {
			MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* @mpi.test-polling rank=1 total=0.2 */
			usleep(1000);
		}
		MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
		for (done = 0; !done;)
			MPI_Testsome(1, &request, &done, &index, MPI_STATUSES_IGNORE);
		/* @mpi.test-polling rank=1 total=0.2 */
		for (done = 0; !done;)
			MPI_Iprobe(0, 0, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
		/* @mpi.test-polling rank=1 total=0.2 */
		MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
