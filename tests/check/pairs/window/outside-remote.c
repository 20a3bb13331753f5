/* pair: check=window.outside ranks=2 at=0 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_fence(0, win);
	if (rank == 0)
#ifdef WRONG
		MPI_Put(&value, 1, MPI_INT, 1, 4, 1, MPI_INT, win); /* FOUND */
#else
		MPI_Put(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
#endif
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	return finish();
}
