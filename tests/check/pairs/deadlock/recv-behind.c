/* pair: check=deadlock.cycle ranks=4 among=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* Ranks 2 and 3 wait for rank 0, which is in the deadlock. */
	const int other = 1 - rank;

	if (rank > 1) {
		MPI_Recv(&theirs, 1, MPI_INT, rank - 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* MAY */
	} else {
#ifdef WRONG
		MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
		MPI_Send(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
#else
		MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
		             MPI_STATUS_IGNORE);
#endif
		MPI_Send(&rank, 1, MPI_INT, rank + 2, 1, MPI_COMM_WORLD);
	}
	expect(theirs == (rank > 1 ? rank - 2 : other));
	return finish();
}
