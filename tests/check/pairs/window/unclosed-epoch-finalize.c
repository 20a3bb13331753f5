/* pair: check=window.unclosed-epoch ranks=2 at=0 also=leak.window dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win); /* FOUND: leak.window */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	if (rank == 0)
		MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /* PARTNER */
#ifndef WRONG
	if (rank == 0)
		MPI_Win_unlock(1, win);
	MPI_Win_free(&win);
#endif
	MPI_Finalize(); /* FOUND */
	if (rank == 0)
		puts("ok");
	return 0;
}
