/* pair: check=memory.receive-read ranks=2 at=1 watchpoints always=--buffers=all
 *
 * The last of some numbers, which share their page with other memory. */
#include "../pair.h"

enum { COUNT = 100 };

int main(int argc, char **argv)
{
	MPI_Request request;
	int *numbers = calloc(COUNT, sizeof *numbers), early = 0;

	start(&argc, &argv);
	if (rank == 0) {
		numbers[COUNT - 1] = 7;
		MPI_Send(numbers, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(numbers, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
		early = numbers[COUNT - 1]; /* USED */
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	}
	expect(numbers[COUNT - 1] == 7 && !early);
	free(numbers);
	return finish();
}
