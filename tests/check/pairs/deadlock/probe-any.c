/* pair: check=deadlock.cycle ranks=3 at=0,1,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* Each probes for a message of any rank before it sends. */
	const int next = (rank + 1) % 3, before = (rank + 2) % 3;

#ifdef WRONG
	MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#else
	if (rank)
		MPI_Probe(before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	if (rank)
		MPI_Recv(&theirs, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Send(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
	if (!rank)
		MPI_Recv(&theirs, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(theirs == before);
	return finish();
}
