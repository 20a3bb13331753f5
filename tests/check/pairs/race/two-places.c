/* pair: check=race.message ranks=4 among=0
 *
 * Sends of several lines: still one finding for the receive. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value, sum = 0, tag;

	start(&argc, &argv);
	tag = rank;
#ifdef WRONG
	tag = 1;
#endif
	for (int i = 1; rank == 0 && i < size; i++) {
#ifdef WRONG
		MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND */
#else
		MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
		sum += value;
	}
	expect(rank || sum == 6);
	if (rank == 1)
		MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); /* MAY */
	if (rank == 2)
		MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); /* MAY */
	if (rank == 3)
		MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); /* MAY */
	return finish();
}
