/* pair: check=request.partition-outside ranks=2 at=0 mpi=mpich dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {1, 2, 3, 4}, there = 0;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0)
		MPI_Psend_init(values, 4, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		               &request); /* MAY */
	else
		MPI_Precv_init(values, 2, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	MPI_Start(&request);
	if (rank == 0) {
		MPI_Pready_range(0, 2, request);
#ifdef WRONG
		MPI_Pready(4, request); /* FOUND */
#endif
		MPI_Pready_list(1, (int[]){3}, request);
	} else {
		while (!there)
			MPI_Parrived(request, 1, &there);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(values[3] == 4);
	MPI_Request_free(&request);
	return finish();
}
