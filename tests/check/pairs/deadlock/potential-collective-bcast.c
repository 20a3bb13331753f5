/* pair: check=deadlock.potential-collective ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* The root of a small broadcast need not wait for the others. */
	int shared = 7 * !rank;

#ifdef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Bcast(&shared, 1, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
	if (rank == 0)
		MPI_Ssend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifndef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	expect(shared == 7 && (rank == 0 || theirs == 0));
	return finish();
}
