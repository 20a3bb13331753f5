/* pair: check=race.local-access ranks=2 always=--buffers=all */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memory[0] = memory[1] = 0;
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* FOUND */
#ifndef WRONG
	MPI_Win_fence(0, win);
#endif
	if (rank == 1)
		memory[1] = 5; /* USED */
	MPI_Win_fence(0, win);
#ifndef WRONG
	expect(rank == 0 || memory[1] == 5);
#endif
	MPI_Win_free(&win);
	return finish();
}
