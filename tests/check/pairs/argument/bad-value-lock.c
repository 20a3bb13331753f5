/* pair: check=argument.bad-value ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
#ifdef WRONG
	if (rank == 0)
		MPI_Win_lock(4711, 1, 0, win); /* FOUND */
#endif
	MPI_Win_lock(rank ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 1, 0, win);
	MPI_Win_unlock(1, win);
	MPI_Win_free(&win);
	return finish();
}
