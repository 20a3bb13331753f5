/* pair: check=window.nested-epoch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win); /* PARTNER */
#ifdef WRONG
	MPI_Win_fence(0, win); /* FOUND */
#endif
	MPI_Win_unlock(rank, win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	return finish();
}
