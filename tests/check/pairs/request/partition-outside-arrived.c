/* pair: check=request.partition-outside ranks=2 at=1 mpi=mpich dies
 *
 * The receiver counts its own partitions, which may be fewer. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {1, 2, 3, 4}, there = 0, partition = 1;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	if (rank == 0)
		MPI_Psend_init(values, 4, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	else
		MPI_Precv_init(values, 2, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		               &request); /* MAY */
	MPI_Start(&request);
#ifdef WRONG
	partition = 3;
#endif
	if (rank == 0)
		MPI_Pready_range(0, 3, request);
	else
		MPI_Parrived(request, partition, &there); /* FOUND */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(values[3] == 4);
	MPI_Request_free(&request);
	return finish();
}
