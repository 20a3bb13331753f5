/* pair: check=deadlock.cycle ranks=2 at=0,1 also=message.tag-mismatch */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int other = 1 - rank;

	theirs = rank;
#ifdef WRONG
	if (rank == 1)
		MPI_Ssend(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD); /* FOUND */
#endif
	MPI_Sendrecv_replace(&theirs, 1, MPI_INT, other, 0, other, 0, MPI_COMM_WORLD,
	                     MPI_STATUS_IGNORE); /* FOUND */
#ifdef WRONG
	if (rank == 0)
		MPI_Recv(&theirs, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	expect(theirs == other);
	return finish();
}
