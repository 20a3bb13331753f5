/* pair: check=deadlock.potential-wildcard ranks=3 among=0,2 races */
#include "../pair.h"

#include <unistd.h>

/* The wrong program posts the second receive before it can know whose message the first one took. */
int main(int argc, char **argv)
{
	int values[2] = {-1, -1};

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Request requests[2];
		MPI_Status statuses[2];
		MPI_Irecv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
		          &requests[0]); /* FOUND */
#ifdef WRONG
		MPI_Irecv(&values[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]); /* MAY */
		MPI_Waitall(2, requests, statuses);
#else
		MPI_Wait(&requests[0], &statuses[0]);
		MPI_Irecv(&values[1], 1, MPI_INT, 3 - statuses[0].MPI_SOURCE, 0, MPI_COMM_WORLD,
		          &requests[1]);
		MPI_Wait(&requests[1], &statuses[1]);
#endif
		expect(values[0] + values[1] == 3);
	} else {
		if (rank == 2)
			usleep(400000); /* so that the message of rank 1 is there first */
		MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* MAY */
	}
	return finish();
}
