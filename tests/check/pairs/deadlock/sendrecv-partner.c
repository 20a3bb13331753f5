/* pair: check=deadlock.finished-process ranks=3 at=0,1,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* Rank 2 sends to the wrong side. */
	const int left = (rank + size - 1) % size, right = (rank + 1) % size;
	int dest = right;

#ifdef WRONG
	if (rank == 2)
		dest = left;
#endif
	MPI_Sendrecv(&rank, 1, MPI_INT, dest, 0, &theirs, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE); /* FOUND */
#ifdef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#endif
	expect(theirs == left);
	return finish();
}
