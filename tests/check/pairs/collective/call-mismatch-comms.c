/* pair: check=collective.call-mismatch ranks=4 among=1
 *
 * Calls on different communicators may be in any order if no rank waits. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int first = 0, second = 0, value;
	MPI_Comm one, two;

	start(&argc, &argv);
	return_errors();
	MPI_Comm_dup(MPI_COMM_WORLD, &one);
	MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &two);
	value = rank;
	MPI_Reduce(&value, &first, 1, MPI_INT, MPI_SUM, 3, one);
	MPI_Reduce(&value, &second, 1, MPI_INT, MPI_SUM, 0, two);
	expect(rank != 3 || (first == 6 && second == 5));
#ifdef WRONG
	if (rank == 1)
		MPI_Gather(&value, 0, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
	else
		MPI_Bcast(&value, 0, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
#endif
	MPI_Comm_free(&one);
	MPI_Comm_free(&two);
	return finish();
}
