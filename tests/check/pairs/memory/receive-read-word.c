/* pair: check=memory.receive-read ranks=2 at=1 watchpoints always=--buffers=all
 *
 * One number, which shares its page with everything else. */
#include "../pair.h"

static int number;

int main(int argc, char **argv)
{
	MPI_Request request;
	int early = 0;

	start(&argc, &argv);
	if (rank == 0) {
		number = 7;
		MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
		early = number; /* USED */
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	}
	expect(number == 7 && !early);
	return finish();
}
