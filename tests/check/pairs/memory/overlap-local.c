/* pair: check=memory.overlap ranks=2 at=1
 *
 * Calls without communication use buffers, too: they read or write memory that MPI receives into. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int received[4] = {1, 2, 3, 4}, sum[4] = {0}, position = 0;
	char packed[64];
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Send(received, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
		MPI_Pack(received, 4, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(received, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifndef WRONG
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
		MPI_Reduce_local(received + 3, sum, 1, MPI_INT, MPI_SUM);                         /* FOUND */
		MPI_Pack(received, 4, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD); /* FOUND */
#ifdef WRONG
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
		/* The part of the packed data that is sent stays as it is. */
		MPI_Isend(packed, position, MPI_PACKED, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
		MPI_Pack(received, 4, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
	}
	return finish();
}
