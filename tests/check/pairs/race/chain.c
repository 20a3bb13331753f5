/* pair: check=race.message ranks=3 at=0,1,2
 *
 * Rank 2 sends after rank 1 did. But messages of two processes may overtake each other: only an answer of rank 0 orders them. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value[2] = {0, 0}, token = 0;
	MPI_Request request = MPI_REQUEST_NULL;
#ifdef WRONG
	const int first = 1;
#else
	const int first = 0;
#endif

	start(&argc, &argv);
	if (rank == 0)
		MPI_Recv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND */
	if (rank == 1)
		MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* PARTNER */
	if (rank == first)
		MPI_Send(&token, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
	if (rank == 2) {
		MPI_Recv(&token, 1, MPI_INT, first, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* PARTNER */
	}
	if (rank == 0) {
		MPI_Recv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value[0] + value[1] == 3);
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return finish();
}
