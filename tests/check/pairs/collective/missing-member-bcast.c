/* pair: check=collective.missing-member ranks=3 among=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 4;
	MPI_Comm two;

	start(&argc, &argv);
	/* The process that has no part in a communicator is not missed there. */
	MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 0, 0, &two);
	if (rank < 2) {
		MPI_Barrier(two);
		MPI_Comm_free(&two);
	}
#ifdef WRONG
	if (rank < 2)
		MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* FOUND */
#else
	MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
#endif
	expect(value == 4);
	return finish();
}
