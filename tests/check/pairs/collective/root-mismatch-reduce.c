/* pair: check=collective.root-mismatch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int sum = 0;
	MPI_Comm turned;

	start(&argc, &argv);
	/* The same process has other ranks in other communicators. */
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
	MPI_Reduce(&size, &sum, 1, MPI_INT, MPI_SUM, 1, turned);
	expect(rank || sum == 4);
	MPI_Comm_free(&turned);
#ifdef WRONG
	MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, !rank, MPI_COMM_WORLD); /* FOUND */
#else
	MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
#endif
	return finish();
}
