/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	int sum;

	if (rank == 0)
		MPI_Ssend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FOUND */
#ifndef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* FOUND */
#ifdef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	expect(sum == 1 && (rank == 0 || theirs == 0));
	return finish();
}
