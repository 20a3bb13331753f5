/* pair: check=window.no-epoch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, values[2] = {7, 7};
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
	MPI_Get(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
#ifdef WRONG
	MPI_Get(values + 1, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* FOUND */
#endif
	MPI_Win_unlock(1, win);
	MPI_Win_free(&win);
	return finish();
}
