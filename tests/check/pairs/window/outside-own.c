/* pair: check=window.outside ranks=2 at=1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value = 7;
	int room[8] = {0};
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_create(room, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
	MPI_Put(&value, 1, MPI_INT, rank, 3, 1, MPI_INT, win);
#ifdef WRONG
	if (rank == 1)
		MPI_Put(&value, 1, MPI_INT, rank, 4, 1, MPI_INT, win); /* FOUND */
#endif
	MPI_Win_unlock(rank, win);
	MPI_Win_free(&win);
	return finish();
}
