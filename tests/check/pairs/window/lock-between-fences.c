/* pair: check=window.lock-between-fences ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
#ifdef WRONG
	const int last = 0, first = 0;
#else
	const int last = MPI_MODE_NOSUCCEED, first = MPI_MODE_NOPRECEDE;
#endif
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_fence(last, win); /* PARTNER */
	if (rank == 0) {
		MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /* PARTNER */
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
		MPI_Win_unlock(1, win);
	}
	MPI_Win_fence(first, win); /* FOUND */
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	/* Without a fence after it, only locks follow. */
	MPI_Win_lock_all(0, win);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
