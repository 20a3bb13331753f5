/* pair: check=race.accumulate ranks=3 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	int result = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_lock_all(0, win);
	if (rank == 0)
		MPI_Accumulate(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win); /* FOUND */
	if (rank == 1)
#ifdef WRONG
		MPI_Fetch_and_op(&value, &result, MPI_INT, 2, 0, MPI_REPLACE, win); /* PARTNER */
#else
		MPI_Fetch_and_op(&value, &result, MPI_INT, 2, 0, MPI_SUM, win);
#endif
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_free(&win);
	return finish();
}
