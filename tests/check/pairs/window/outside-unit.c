/* pair: check=window.outside ranks=2 at=0 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(16, rank ? 1 : 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_lock_all(0, win);
	if (rank == 0)
#ifdef WRONG
		MPI_Get(&value, 1, MPI_INT, 1, 16, 1, MPI_INT, win); /* FOUND */
#else
		MPI_Get(&value, 1, MPI_INT, 1, 12, 1, MPI_INT, win); /* the unit of rank 1 is a byte */
#endif
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
