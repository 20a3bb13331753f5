/* pair: check=request.partition-inactive ranks=2 at=0 mpi=mpich dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 3;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0) {
		MPI_Psend_init(&value, 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		               &request); /* MAY */
#ifdef WRONG
		MPI_Pready(0, request); /* FOUND */
#endif
		MPI_Start(&request);
		MPI_Pready(0, request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else {
		MPI_Precv_init(&value, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect(value == 3);
	}
	MPI_Request_free(&request);
	return finish();
}
