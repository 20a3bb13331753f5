/* pair: check=window.request-epoch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_fence(0, win); /* PARTNER */
#ifdef WRONG
	MPI_Rget(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request); /* FOUND */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
	MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
#endif
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
	MPI_Rget(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_unlock(1, win);
	MPI_Win_free(&win);
	return finish();
}
