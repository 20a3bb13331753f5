/* pair: check=race.one-sided ranks=3 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	if (rank < 2) {
#ifdef WRONG
		MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
#else
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
#endif
		MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* FOUND */
		MPI_Win_unlock(2, win);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_free(&win);
	return finish();
}
