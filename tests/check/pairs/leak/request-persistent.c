/* pair: check=leak.persistent-request ranks=2 at=1
 *
 * Completing a persistent request does not free it. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 0;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Recv(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value == 2);
	} else {
		MPI_Send_init(&size, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request); /* FOUND */
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef WRONG
		MPI_Request_free(&request);
#endif
	}
	return finish();
}
