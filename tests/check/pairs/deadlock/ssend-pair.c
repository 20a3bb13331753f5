/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int other = 1 - rank;

#ifndef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	MPI_Ssend(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD); /* FOUND */
#ifndef WRONG
	if (rank == 0)
#endif
		MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(theirs == other);
	return finish();
}
