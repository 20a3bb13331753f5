/* pair: check=deadlock.cycle ranks=3 among=0,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1, all[3];
	start(&argc, &argv);
	/* Rank 2 wants an answer of the root before it gives its part. */
#ifdef WRONG
	if (rank == 2)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
#ifndef WRONG
	if (rank == 2)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
#ifdef WRONG
	MPI_Barrier(MPI_COMM_WORLD); /* MAY */
#endif
	expect(rank != 2 || theirs == 0);
	return finish();
}
