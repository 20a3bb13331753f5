/* pair: check=message.unmatched-receive also=leak.request ranks=2 at=1
 *
 * A receive that is cancelled needs no message. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int value, cancelled;
	MPI_Request request, other;

	start(&argc, &argv);
	if (rank == 1) {
		MPI_Irecv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request); /* FOUND FOUND: leak.request */
		MPI_Recv_init(&cancelled, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &other);
		MPI_Start(&other);
		MPI_Cancel(&other);
		MPI_Wait(&other, MPI_STATUS_IGNORE);
		MPI_Request_free(&other);
#ifndef WRONG
		MPI_Cancel(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
	}
	return finish();
}
