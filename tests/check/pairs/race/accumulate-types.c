/* pair: check=race.accumulate ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	float values[1] = {1};
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_fence(0, win);
	if (rank == 0)
#ifdef WRONG
		MPI_Accumulate(values, 1, MPI_FLOAT, 0, 0, 1, MPI_FLOAT, MPI_SUM, win); /* FOUND */
#else
		MPI_Accumulate(values, 1, MPI_FLOAT, 0, 1, 1, MPI_FLOAT, MPI_SUM, win);
#endif
	else
		MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win); /* PARTNER */
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	return finish();
}
