/* pair: check=race.local-access ranks=2 always=--buffers=all */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FOUND */
		MPI_Win_unlock(1, win);
	} else {
#ifdef WRONG
		memory[0] = 5; /* USED */
#else
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
		memory[0] = 5;
		MPI_Win_unlock(1, win);
#endif
	}
	MPI_Barrier(MPI_COMM_WORLD);
#ifndef WRONG
	expect(rank == 0 || memory[0] == 5 || memory[0] == 7);
#endif
	MPI_Win_free(&win);
	return finish();
}
