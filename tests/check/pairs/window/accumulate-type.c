/* pair: check=window.accumulate-type ranks=2 at=0 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory;
	int values[2] = {1, 2};
	MPI_Datatype pair, two;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_FLOAT},
	                       &pair);
	MPI_Type_commit(&pair);
	MPI_Type_contiguous(2, MPI_INT, &two);
	MPI_Type_commit(&two);
	MPI_Win_fence(0, win);
	if (rank == 0)
#ifdef WRONG
		MPI_Accumulate(values, 1, pair, 1, 0, 1, pair, MPI_REPLACE, win); /* FOUND */
#else
		MPI_Accumulate(values, 1, two, 1, 0, 1, two, MPI_SUM, win);
#endif
	MPI_Win_fence(0, win);
	MPI_Type_free(&pair);
	MPI_Type_free(&two);
	MPI_Win_free(&win);
	return finish();
}
