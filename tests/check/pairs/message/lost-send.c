/* pair: check=message.lost ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 3;

	start(&argc, &argv);
	if (rank == 0) {
		MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* FOUND */
	} else {
		MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef WRONG
		MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	}
	return finish();
}
