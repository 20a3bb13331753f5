/* pair: check=deadlock.potential-wildcard also=race.message-order ranks=3 among=0,2 */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* If the first receive took the message of rank 2, the second would wait forever. */
	if (rank == 0) {
#ifdef WRONG
		MPI_Recv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND FOUND: race.message-order */
#else
		MPI_Recv(&theirs, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
		MPI_Recv(&theirs, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* MAY */
		expect(theirs == 2);
	} else {
		if (rank == 2)
			usleep(400000); /* so that the message of rank 1 is there first */
		MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* MAY */
	}
	return finish();
}
