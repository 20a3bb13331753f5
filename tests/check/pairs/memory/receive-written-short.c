/* pair: check=memory.receive-written ranks=2 at=1 always=--buffers=all output
 *
 * The message is shorter than the buffer. All of the buffer is MPI's; but what the program writes behind the message stays. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[100] = {0};
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		data[9] = 5;
		MPI_Send(data, 10, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(data, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
		data[50] = 6;
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
#ifndef WRONG
		data[50] = 6;
#endif
		expect(data[9] == 5 && data[50] == 6);
	}
	return finish();
}
