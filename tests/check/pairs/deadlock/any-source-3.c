/* pair: check=deadlock.cycle ranks=3 at=0,1,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int next = (rank + 1) % 3, before = (rank + 2) % 3;

#ifdef WRONG
	MPI_Recv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
	MPI_Send(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
#else
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
	MPI_Recv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank != 0)
		MPI_Send(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
#endif
	expect(theirs == before);
	return finish();
}
