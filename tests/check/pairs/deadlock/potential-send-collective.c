/* pair: check=deadlock.potential-send-collective ranks=2 at=0,1
 *
 * The root of a broadcast may return before the others call it, but need not. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 5, got = 0;

	start(&argc, &argv);
	if (rank == 0) {
#ifdef WRONG
		MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FOUND */
		MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
#else
		MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
		MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
	} else {
		MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD); /* PARTNER */
		MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(got == 5);
	}
	return finish();
}
