/* pair: check=race.one-sided ranks=3 at=0,1 */
#include "../pair.h"

/* A column of a matrix is read several times, and then written by another rank: a barrier does not complete the reads. */
enum { ROWS = 6, COLUMNS = 4 };

int main(int argc, char **argv)
{
	int *memory, values[3][ROWS], value = 7;
	MPI_Datatype column;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(ROWS * COLUMNS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &column);
	MPI_Type_commit(&column);
	MPI_Win_fence(0, win);
	for (int i = 0; rank == 0 && i < 3; i++)
		MPI_Get(values[i], ROWS, MPI_INT, 2, 1, 1, column, win); /* FOUND */
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1)
#ifdef WRONG
		MPI_Put(&value, 1, MPI_INT, 2, 3 * COLUMNS + 1, 1, MPI_INT, win); /* PARTNER */
#else
		MPI_Put(&value, 1, MPI_INT, 2, 3 * COLUMNS + 2, 1, MPI_INT, win);
#endif
	MPI_Win_fence(0, win);
	MPI_Type_free(&column);
	MPI_Win_free(&win);
	return finish();
}
