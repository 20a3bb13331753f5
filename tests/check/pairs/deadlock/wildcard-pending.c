/* pair: check=deadlock.cycle ranks=3 among=1,2
 *
 * The source of the receive with MPI_ANY_SOURCE stays unknown: its process does not reach its wait. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int first = -1, second = -1;
	MPI_Request request;

	start(&argc, &argv);
	if (rank == 2) {
		MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
		MPI_Recv(&second, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		expect(first == 0 && second == 1);
	}
	if (rank == 0)
		MPI_Ssend(&rank, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
#ifndef WRONG
	if (rank == 1)
		MPI_Send(&rank, 1, MPI_INT, 2, 9, MPI_COMM_WORLD);
#endif
	MPI_Barrier(MPI_COMM_WORLD); /* FOUND */
	return finish();
}
