/* pair: check=request.not-persistent ranks=2 at=0 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = -1;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0) {
		MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* MAY */
#ifdef WRONG
		MPI_Start(&request); /* FOUND */
#endif
		MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect(value == 1);
		MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Request_free(&request);
	} else {
		MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	return finish();
}
