/* pair: check=argument.wildcard-in-send ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 3;
	MPI_Status status;

	start(&argc, &argv);
	return_errors();
	if (rank == 0) {
#ifdef WRONG
		MPI_Send(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD); /* FOUND */
#endif
		MPI_Send(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		expect(status.MPI_SOURCE == 0 && status.MPI_TAG == 9);
	}
	return finish();
}
