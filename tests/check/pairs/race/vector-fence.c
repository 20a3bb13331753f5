/* pair: check=race.one-sided ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory;
	int values[2] = {1, 2};
	MPI_Datatype even;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Type_vector(2, 1, 2, MPI_INT, &even);
	MPI_Type_commit(&even);
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Put(values, 2, MPI_INT, 1, 0, 1, even, win); /* FOUND */
	else
#ifdef WRONG
		MPI_Put(values, 2, MPI_INT, 1, 1, 2, MPI_INT, win); /* PARTNER */
#else
		MPI_Put(values, 2, MPI_INT, 1, 1, 1, even, win);
#endif
	MPI_Win_fence(0, win);
	MPI_Type_free(&even);
	MPI_Win_free(&win);
	return finish();
}
