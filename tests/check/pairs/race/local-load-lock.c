/* pair: check=race.local-access ranks=2 watchpoints always=--buffers=all */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7, seen = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memory[0] = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FOUND */
		MPI_Win_unlock(1, win);
	}
#ifndef WRONG
	MPI_Barrier(MPI_COMM_WORLD);
#endif
	if (rank == 1)
		seen = memory[0]; /* USED */
	MPI_Barrier(MPI_COMM_WORLD);
	expect(seen == 0 || seen == 7);
	MPI_Win_free(&win);
	return finish();
}
