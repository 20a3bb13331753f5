/* pair: check=deadlock.cycle ranks=4 at=0,1,2,3 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* Any rank could free rank 0; all others wait for it. */
	if (rank == 0) {
#ifdef WRONG
		MPI_Recv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND */
#endif
		for (int i = 1; i < size; i++)
			MPI_Send(&rank, 1, MPI_INT, i, 5, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&theirs, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#ifdef WRONG
		MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
#endif
	}
	expect(rank == 0 || theirs == 0);
	return finish();
}
