/* pair: check=race.message-order ranks=3 at=0,1,2
 *
 * With a tag of its own for each purpose, only one message fits. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value[2] = {0, 0}, tags[2] = {1, 2};

	start(&argc, &argv);
	if (rank == 0) {
#ifdef WRONG
		tags[0] = tags[1] = MPI_ANY_TAG;
#endif
		MPI_Recv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, tags[0], MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND */
		MPI_Recv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, tags[1], MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(value[0] + value[1] == 3);
	} else {
		MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD); /* PARTNER */
	}
	return finish();
}
