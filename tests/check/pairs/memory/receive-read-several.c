/* pair: check=memory.receive-read ranks=2 at=1 watchpoints always=--buffers=all
 *
 * Several buffers at a time have to share the watchpoints of the processor. */
#include "../pair.h"

enum { BUFFERS = 4, COUNT = 8 };

int main(int argc, char **argv)
{
	MPI_Request requests[BUFFERS];
	int numbers[BUFFERS][COUNT] = {{0}}, early = 0;

	start(&argc, &argv);
	for (int i = 0; i < BUFFERS && rank == 0; i++) {
		numbers[i][0] = i + 1;
		MPI_Send(numbers[i], COUNT, MPI_INT, 1, i, MPI_COMM_WORLD);
	}
	if (rank == 1) {
		for (int i = 0; i < BUFFERS; i++)
			MPI_Irecv(numbers[i], COUNT, MPI_INT, 0, i, MPI_COMM_WORLD,
			          &requests[i]); /* PARTNER */
#ifdef WRONG
		for (int i = 0; i < BUFFERS; i++)
			early += numbers[i][0]; /* USED */
#endif
		MPI_Waitall(BUFFERS, requests, MPI_STATUSES_IGNORE); /* FOUND */
	}
	expect(numbers[BUFFERS - 1][0] == BUFFERS && !early);
	return finish();
}
