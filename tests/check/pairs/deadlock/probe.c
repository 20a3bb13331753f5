/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int other = 1 - rank;

#ifndef WRONG
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
#endif
	MPI_Probe(other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
	MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef WRONG
	if (rank == 1)
#endif
		MPI_Send(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
	expect(theirs == other);
	return finish();
}
