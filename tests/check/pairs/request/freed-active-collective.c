/* pair: check=request.freed-active ranks=2 at=0,1 dies
 *
 * A collective call may not be freed. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int value = 3;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0) {
		MPI_Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Recv(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
	}
#ifdef WRONG
	MPI_Ibarrier(MPI_COMM_WORLD, &request); /* MAY */
	MPI_Request_free(&request);             /* FOUND */
	if (request != MPI_REQUEST_NULL)
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* MPI refused */
#endif
	MPI_Barrier(MPI_COMM_WORLD);
	return finish();
}
