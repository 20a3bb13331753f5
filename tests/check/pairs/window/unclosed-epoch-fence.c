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
	MPI_Win_fence(0, win);
	MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* PARTNER */
#ifndef WRONG
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
#endif
	if (MPI_Win_free(&win) != MPI_SUCCESS) { /* FOUND */
		MPI_Win_fence(0, win);
		MPI_Win_free(&win);
	}
	return finish();
}
