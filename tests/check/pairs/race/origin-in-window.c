/* pair: check=race.local-access ranks=2
 *
 * MPI_Put of rank 1 reads its own window, and rank 0 writes there in the same epoch: the value that is there already. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, values[4] = {0, 2, 3, 4};
#ifdef WRONG
	const int first = 3;
#else
	const int first = 4;
#endif
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, 0, 16 * sizeof(int));
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Put(values, 4, MPI_INT, 1, first, 4, MPI_INT, win); /* FOUND */
	else
		MPI_Put(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win); /* PARTNER */
	MPI_Win_fence(0, win);
	/* Another epoch */
	if (rank == 1)
		MPI_Put(memory + first, 4, MPI_INT, 0, 8, 4, MPI_INT, win);
	MPI_Win_fence(0, win);
#ifndef WRONG
	expect(rank == 1 || (memory[8] == 0 && memory[11] == 4));
#endif
	MPI_Win_free(&win);
	return finish();
}
