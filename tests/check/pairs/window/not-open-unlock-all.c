/* pair: check=window.not-open ranks=2 at=0,1 notes */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
#ifdef WRONG
	MPI_Win_unlock_all(win); /* FOUND */
#endif
	MPI_Win_unlock(0, win);
	MPI_Win_free(&win);
	return finish();
}
