/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	MPI_Comm twin;

#ifdef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Comm_dup(MPI_COMM_WORLD, &twin); /* FOUND */
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, 1, 0, twin);
#ifndef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, twin, MPI_STATUS_IGNORE);
#endif
	MPI_Comm_free(&twin);
	expect(rank == 0 || theirs == 0);
	return finish();
}
