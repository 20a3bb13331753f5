/* pair: check=window.outside ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int room[16] = {0}, values[3] = {1, 2, 3};
	MPI_Datatype column;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_create(room, 8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win); /* MAY */
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Type_vector(3, 1, 2, MPI_INT, &column);
	MPI_Type_commit(&column);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
	MPI_Put(values, 3, MPI_INT, rank, 3, 1, column, win);
#ifdef WRONG
	if (rank == 0)
		MPI_Put(values, 3, MPI_INT, rank, 4, 1, column, win); /* FOUND */
#endif
	MPI_Win_unlock(rank, win);
	MPI_Type_free(&column);
#ifndef WRONG
	expect(room[3] == 1 && room[4] == 0 && room[5] == 2);
#endif
	MPI_Win_free(&win);
	return finish();
}
