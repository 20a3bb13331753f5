/* pair: check=collective.operation-mismatch ranks=3 among=1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int sum = 0;
	MPI_Op op = MPI_SUM;

	start(&argc, &argv);
#ifdef WRONG
	if (rank == 1)
		op = MPI_MAX;
#endif
	MPI_Reduce(&rank, &sum, 1, MPI_INT, op, 0, MPI_COMM_WORLD); /* FOUND */
	expect(rank || sum == 3);
	return finish();
}
