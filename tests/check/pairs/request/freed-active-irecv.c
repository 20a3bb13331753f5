/* pair: check=request.freed-active ranks=2 at=0
 *
 * The end of such a receive is unknown. A persistent request that is not active may be freed. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int value = -1;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
#ifdef WRONG
		MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* MAY */
		MPI_Request_free(&request);                                    /* FOUND */
#else
		MPI_Recv_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Request_free(&request);
		expect(value == 1 && request == MPI_REQUEST_NULL);
#endif
	} else {
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return finish();
}
