/* pair: check=memory.send-changed ranks=2 at=0 watchpoints always=--buffers=all
 *
 * The program writes the value that is already there: a hash does not show it. */
#include "../pair.h"

int main(int argc, char **argv)
{
	double value = 1, got = 0;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Isend(&value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
		value = 1; /* USED */
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
		value = 1;
	} else {
		MPI_Recv(&got, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	expect(rank == 0 || got == 1);
	return finish();
}
