/* pair: check=deadlock.potential-wildcard ranks=3 among=0,2 races */
#include "../pair.h"

#include <unistd.h>

/* The correct program receives from the remaining rank: it may have read that in the status. */
int main(int argc, char **argv)
{
	int first = -1, second = -1;

	start(&argc, &argv);
	if (rank == 0) {
#ifdef WRONG
		MPI_Request request;
		MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* FOUND */
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Recv(&second, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* MAY */
#else
		MPI_Status status;
		MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
		MPI_Recv(&second, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
		expect(first + second == 3);
	} else {
		if (rank == 2)
			usleep(400000); /* so that the message of rank 1 is there first */
		MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* MAY */
	}
	return finish();
}
