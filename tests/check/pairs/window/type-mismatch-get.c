/* pair: check=window.type-mismatch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory;
	int values[2];
	MPI_Datatype pair;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_FLOAT},
	                       &pair);
	MPI_Type_commit(&pair);
	MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
#ifdef WRONG
	MPI_Get(values, 2, MPI_INT, 1, 0, 1, pair, win); /* FOUND */
#else
	MPI_Get(values, 1, pair, 1, 0, 1, pair, win);
#endif
	MPI_Win_unlock(1, win);
	MPI_Type_free(&pair);
	MPI_Win_free(&win);
	return finish();
}
