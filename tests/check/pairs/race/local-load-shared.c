/* pair: check=race.local-access ranks=2 watchpoints always=--buffers=all */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7, seen = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate_shared(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memory[0] = 0;
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FOUND */
#ifndef WRONG
	MPI_Win_fence(0, win);
#endif
	if (rank == 1)
		seen = memory[0]; /* USED */
	MPI_Win_fence(0, win);
	expect(seen == 0 || seen == 7);
	MPI_Win_free(&win);
	return finish();
}
