/* pair: check=window.no-epoch ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	int result;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
#ifdef WRONG
	if (rank == 0)
		MPI_Fetch_and_op(&value, memory, MPI_INT, 1, 0, MPI_SUM, win); /* FOUND */
#endif
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
	MPI_Fetch_and_op(&value, &result, MPI_INT, 1, 0, MPI_NO_OP, win);
	MPI_Win_unlock(1, win);
	MPI_Win_free(&win);
	return finish();
}
