/* pair: check=window.size-mismatch ranks=2 at=1 dies
 *
 * The operand and the target have the same size, with any types. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, values[4] = {1, 2, 3, 4}, results[4], count = 4;
	MPI_Datatype two;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Type_contiguous(2, MPI_INT, &two);
	MPI_Type_commit(&two);
	MPI_Win_lock_all(0, win);
#ifdef WRONG
	count = 3;
#endif
	if (rank == 1)
		MPI_Get_accumulate(values, count, MPI_INT, results, 4, MPI_INT, 0, 0, 2, two, MPI_SUM,
		                   win); /* FOUND */
	MPI_Win_unlock_all(win);
	MPI_Type_free(&two);
	MPI_Win_free(&win);
	return finish();
}
