/* pair: check=request.partition-twice ranks=2 at=0 mpi=mpich dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[3] = {0}, order[3] = {2, 0, 1};
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0)
		MPI_Psend_init(values, 3, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		               &request); /* MAY */
	else
		MPI_Precv_init(values, 3, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	MPI_Start(&request);
	if (rank == 0) {
#ifdef WRONG
		order[1] = 2;
		MPI_Pready_list(3, order, request); /* FOUND */
		MPI_Pready(0, request);
#else
		MPI_Pready_list(3, order, request);
#endif
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
	return finish();
}
