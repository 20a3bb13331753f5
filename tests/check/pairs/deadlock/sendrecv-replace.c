/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs;

	start(&argc, &argv);
	theirs = rank;
#ifdef WRONG
	if (rank == 1)
		MPI_Barrier(MPI_COMM_WORLD); /* FOUND */
#endif
	MPI_Sendrecv_replace(&theirs, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD,
	                     MPI_STATUS_IGNORE); /* FOUND */
#ifdef WRONG
	if (rank == 0)
#endif
		MPI_Barrier(MPI_COMM_WORLD);
	expect(theirs == 1 - rank);
	return finish();
}
