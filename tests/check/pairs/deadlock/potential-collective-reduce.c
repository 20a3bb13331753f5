/* pair: check=deadlock.potential-collective ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* A rank other than the root of a small reduction need not wait for it. */
	int sum = 0;

#ifdef WRONG
	if (rank == 0)
		MPI_Recv(&theirs, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Reduce(&size, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* FOUND */
	if (rank == 1)
		MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#ifndef WRONG
	if (rank == 0)
		MPI_Recv(&theirs, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	expect(rank == 1 || (sum == 4 && theirs == 1));
	return finish();
}
