/* pair: check=message.not-ready ranks=3 at=0,1
 *
 * A barrier orders the sends with receives that were posted before it, not with later ones. What another rank knows is of no use to the sender. */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	MPI_Request request = MPI_REQUEST_NULL;
	int value = 0;

	start(&argc, &argv);
	if (rank == 0)
		MPI_Rsend_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* FOUND */
	else if (rank == 1)
		MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* FOUND */
	for (int i = 0; i < 4; i++) {
		if (rank == 1)
			MPI_Start(&request);
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0)
			MPI_Start(&request);
		if (rank < 2)
			MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
#ifdef WRONG
	int other = 0;

	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Start(&request);
	} else if (rank == 1) {
		usleep(400000);
		MPI_Start(&request);
		MPI_Send(&other, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&other, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	if (rank < 2)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
	if (rank < 2)
		MPI_Request_free(&request);
	return finish();
}
