/* pair: check=memory.receive-written ranks=2 at=1 always=--buffers=all
 *
 * The receiver clears its buffer after the receive was posted, instead of before. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[100] = {0};
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		data[99] = 5;
		MPI_Send(data, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		data[7] = 3;
#ifndef WRONG
		memset(data, 0, sizeof data);
#endif
		MPI_Irecv(data, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
		memset(data, 0, sizeof data); /* SEEN */
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
		expect(data[99] == 5 && data[7] == 0);
	}
	return finish();
}
