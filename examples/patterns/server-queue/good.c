/* Rank 0 hands out work: one piece per request. All ranks have produced the pieces before the first request. Ranks request the next piece before
 * they have finished the last, and rank 0 works on its own pieces meanwhile.
 *
 * tarry-example: ranks=3 */
#include <mpi.h>
#include <unistd.h>

enum { PIECES = 12, MAKE_US = 10000, WORK_US = 3000 };

/* Each its share. */
static void produce(int size)
{
	usleep(PIECES * (size - 1) * MAKE_US / size);
}

static void give(int workers)
{
	MPI_Status status;
	int piece = 0;

	for (int i = 0; i < PIECES; i++) {
		usleep(WORK_US);
		for (int j = 0; j < workers; j++) {
			MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
			MPI_Send(&piece, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
		}
	}
}

static void work(void)
{
	int piece;

	for (int i = 0; i < PIECES; i++) {
		MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
		usleep(WORK_US);
		MPI_Recv(&piece, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	produce(size);
	if (rank == 0)
		give(size - 1);
	else
		work();
	MPI_Finalize();
	return 0;
}
