/* pair: check=window.assertion ranks=2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	if (rank == 0) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); /* PARTNER */
		MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		MPI_Win_unlock(0, win);
	}
#ifndef WRONG
	MPI_Barrier(MPI_COMM_WORLD); /* no rank holds a lock any more */
#endif
	if (rank == 1) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win); /* FOUND */
		MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
		MPI_Win_unlock(0, win);
	}
	MPI_Win_free(&win);
	return finish();
}
