/* pair: check=request.freed-active ranks=2 at=0
 *
 * The right program knows from the answer that its message arrived. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int value = 3;
	int done = 0;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* MAY */
#ifdef WRONG
		MPI_Request_free(&request); /* FOUND */
		MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
#else
		MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
		MPI_Recv(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		while (!done)
			MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
		MPI_Request_free(&request);
#endif
	} else {
		MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef WRONG
		MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
#endif
	}
	(void)done;
	return finish();
}
