/* pair: check=window.unclosed-epoch ranks=2 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_lock_all(0, win); /* PARTNER */
	MPI_Get(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
#ifndef WRONG
	MPI_Win_unlock_all(win);
#endif
	if (MPI_Win_free(&win) != MPI_SUCCESS) { /* FOUND */
		MPI_Win_unlock_all(win);
		MPI_Win_free(&win);
	}
	return finish();
}
