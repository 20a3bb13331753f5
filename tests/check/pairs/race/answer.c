/* pair: check=race.message-order ranks=3 among=0
 *
 * Work is given to one process at a time: there is never a second message that could come. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 0, sum = 0;

	start(&argc, &argv);
	if (rank == 0) {
#ifdef WRONG
		MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
		MPI_Send(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
#endif
		for (int worker = 1; worker < 3; worker++) {
#ifndef WRONG
			MPI_Send(&value, 1, MPI_INT, worker, 1, MPI_COMM_WORLD);
#endif
			MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD,
			         MPI_STATUS_IGNORE); /* FOUND */
			sum += value;
		}
		expect(sum == 3);
	} else {
		MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* PARTNER */
	}
	return finish();
}
