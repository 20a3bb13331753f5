/* pair: check=collective.call-mismatch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value, sum = 0;

	start(&argc, &argv);
	return_errors();
	value = rank + 1;
#ifdef WRONG
	if (rank == 0)
		MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
	else
		MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* FOUND */
#else
	/* The same call from different lines. */
	if (rank == 0)
		MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	else
		MPI_Reduce(&value, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	expect(rank || sum == 3);
#endif
	return finish();
}
