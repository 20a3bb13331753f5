/* pair: check=argument.negative-count ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 7;

	start(&argc, &argv);
	return_errors();
	if (rank == 0) {
#ifdef WRONG
		MPI_Send(&value, -1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FOUND */
#endif
		MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
		MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
	} else {
		value = 0;
		MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value == 7);
	}
	return finish();
}
