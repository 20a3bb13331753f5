/* pair: check=deadlock.cycle ranks=3 among=0,1
 *
 * Rank 2 has finalized, or waits forever for the others to do so: its launcher ends it. */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	int theirs = -1;

	start(&argc, &argv);
	if (rank < 2) {
#ifdef WRONG
		MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#else
		MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
		             MPI_STATUS_IGNORE);
#endif
		expect(theirs == 1 - rank);
	}
	MPI_Finalize(); /* MAY */
#ifdef WRONG
	for (;;)
		usleep(100000);
#endif
	if (!rank && !unexpected)
		puts("ok");
	return unexpected;
}
