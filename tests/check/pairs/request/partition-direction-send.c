/* pair: check=request.partition-direction ranks=2 at=0 mpi=mpich dies
 *
 * The sender asks whether its own partition arrived. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {3, 4}, there = 0;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0)
		MPI_Psend_init(values, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		               &request); /* MAY */
	else
		MPI_Precv_init(values, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	MPI_Start(&request);
	if (rank == 0) {
		MPI_Pready_range(0, 1, request);
#ifdef WRONG
		MPI_Parrived(request, 0, &there); /* FOUND */
#else
		MPI_Request_get_status(request, &there, MPI_STATUS_IGNORE);
#endif
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
	return finish();
}
