/* pair: check=none ranks=3 */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	/* Ranks 1 and 2 wait for a long time, but not forever. */
	if (rank == 0) {
		usleep(700000);
		for (int i = 1; i < size; i++)
			MPI_Send(&rank, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
	} else {
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	expect(rank == 0 || theirs == 0);
	return finish();
}
