/* pair: check=request.never-started ranks=2 at=1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 0;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect(value == 2);
		MPI_Request_free(&request);
	} else {
#ifdef WRONG
		MPI_Ssend_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* FOUND */
		MPI_Request_free(&request);                                         /* MAY */
#endif
		MPI_Send(&size, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	}
	return finish();
}
