/* pair: check=request.partition-twice ranks=2 at=0 mpi=mpich dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {0};
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0)
		MPI_Psend_init(values, 2, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		               &request); /* MAY */
	else
		MPI_Precv_init(values, 2, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&request);
		if (rank == 0) {
			MPI_Pready(1, request); /* MAY */
#ifdef WRONG
			if (i)
				MPI_Pready(1, request); /* FOUND */
#endif
			MPI_Pready(0, request);
		}
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
	return finish();
}
