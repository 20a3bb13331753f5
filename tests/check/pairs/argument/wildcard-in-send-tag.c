/* pair: check=argument.wildcard-in-send ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 3, got = 0;

	start(&argc, &argv);
	return_errors();
#ifdef WRONG
	MPI_Sendrecv(&value, 1, MPI_INT, !rank, MPI_ANY_TAG, &got, 1, MPI_INT, !rank, 0,
	             MPI_COMM_WORLD, /* FOUND */
	             MPI_STATUS_IGNORE);
#else
	MPI_Sendrecv(&value, 1, MPI_INT, !rank, 0, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
	             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(got == 3);
#endif
	return finish();
}
