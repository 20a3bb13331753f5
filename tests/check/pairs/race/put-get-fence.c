/* pair: check=race.one-sided ranks=3 at=0,1 */
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
		MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* FOUND */
#ifndef WRONG
	MPI_Win_fence(0, win);
#endif
	if (rank == 1)
		MPI_Get(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* PARTNER */
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	return finish();
}
