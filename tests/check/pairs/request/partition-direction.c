/* pair: check=request.partition-direction ranks=2 at=1 mpi=mpich dies
 *
 * Partitions are made ready by the sender, and looked for by the receiver. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {3, 4}, there = 0;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0)
		MPI_Psend_init(values, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	else
		MPI_Precv_init(values, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		               &request); /* MAY */
	MPI_Start(&request);
	if (rank == 0) {
		MPI_Pready_range(0, 1, request);
	} else {
#ifdef WRONG
		MPI_Pready(0, request); /* FOUND */
#endif
		while (!there)
			MPI_Parrived(request, 0, &there);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
	return finish();
}
