/* pair: check=race.message ranks=3 at=0,1,2
 *
 * A synchronous send ends when its message is being received: what rank 2 sends after it comes later. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value[2] = {0, 0}, token = 0;
	MPI_Request request = MPI_REQUEST_NULL;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Recv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND */
		MPI_Recv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value[0] + value[1] == 3);
	}
	if (rank == 1) {
#ifdef WRONG
		MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
#else
		MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
		MPI_Send(&token, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
	}
	if (rank == 2) {
		MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* PARTNER */
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return finish();
}
