/* pair: check=collective.type-mismatch ranks=2 among=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	double value;
	double all[2] = {0};

	start(&argc, &argv);
	value = rank;
#ifdef WRONG
	MPI_Gather(&value, 1, MPI_DOUBLE, all, 2, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
#else
	/* Receive arguments are insignificant elsewhere. */
	MPI_Gather(&value, 1, MPI_DOUBLE, all, 1 + rank, rank ? MPI_CHAR : MPI_DOUBLE, 0, MPI_COMM_WORLD);
	expect(rank || all[1] == 1);
#endif
	return finish();
}
