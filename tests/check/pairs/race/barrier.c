/* pair: check=race.message ranks=3 at=0,1,2
 *
 * A message sent after a barrier that follows the receive cannot arrive before it. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value[2] = {0, 0};
	MPI_Request request = MPI_REQUEST_NULL;

	start(&argc, &argv);
	if (rank == 0)
		MPI_Recv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND */
	if (rank == 1)
		MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
	if (rank == 2)
		MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#endif
	MPI_Barrier(MPI_COMM_WORLD);
#ifndef WRONG
	if (rank == 2)
		MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
#endif
	if (rank == 0) {
		MPI_Recv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value[0] + value[1] == 3);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return finish();
}
