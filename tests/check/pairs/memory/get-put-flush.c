/* pair: check=memory.overlap ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memory[0] = memory[1] = 7;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (rank == 0) {
		MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* PARTNER */
#ifndef WRONG
		MPI_Win_flush_local(1, win);
#endif
		MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* FOUND */
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	expect(rank || value == 7);
	return finish();
}
