/* pair: check=window.assertion ranks=2 at=0
 *
 * The rank that accessed is also the only one that asserts there was no access. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* PARTNER */
#ifdef WRONG
	MPI_Win_fence(rank == 0 ? MPI_MODE_NOPRECEDE : 0, win); /* FOUND */
#endif
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	return finish();
}
