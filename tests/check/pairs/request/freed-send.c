/* pair: check=request.freed-send ranks=2 at=0
 *
 * A send may be freed at once: the answer tells that the message arrived. This is only noted. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int value = 3;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* MAY */
#ifdef WRONG
		MPI_Request_free(&request); /* FOUND */
#else
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
		MPI_Recv(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return finish();
}
