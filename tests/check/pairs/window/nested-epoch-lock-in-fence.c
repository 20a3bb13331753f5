/* pair: check=window.nested-epoch ranks=2 at=0,1 also=end.abort dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_fence(0, win); /* PARTNER */
	MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
#ifndef WRONG
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
#endif
	MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win); /* FOUND */
#ifndef WRONG
	MPI_Win_unlock(rank, win);
	MPI_Win_free(&win);
#else
	MPI_Abort(MPI_COMM_WORLD, 1); /* FOUND: end.abort */
#endif
	return finish();
}
