/* Rank 0 hands out work: one piece per request. It produces the piece only then, and meanwhile
 * the requests of other ranks wait.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { PIECES = 12, MAKE_US = 10000, WORK_US = 5000 };

static void give(int workers)
{
	MPI_Status status;
	int piece = 0;

	for (int i = 0; i < PIECES * workers; i++) {
		MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
		/* @mpi.server-queue rank=0 */
		usleep(MAKE_US);
		MPI_Send(&piece, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
	}
}

static void work(void)
{
	int piece;

	for (int i = 0; i < PIECES; i++) {
		if (i)
			usleep(WORK_US);
		MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
		MPI_Recv(&piece, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		/* @mpi.late-standard-send rank=1,2 partner=0 */
	}
}

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 0)
		give(size - 1);
	else
		work();
	MPI_Finalize();
	return 0;
}
