/* pair: check=race.one-sided ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	int result;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	if (rank == 0) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FOUND */
#ifndef WRONG
		MPI_Win_flush(1, win);
#endif
		MPI_Get(&result, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* PARTNER */
		MPI_Win_unlock(1, win);
	}
	MPI_Win_free(&win);
	return finish();
}
