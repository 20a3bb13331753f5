/* pair: check=race.one-sided ranks=2 at=0
 *
 * Repeated reads are redundant, until the process writes to that memory. */
#include "../pair.h"

enum { ROUNDS = 10 };

int main(int argc, char **argv)
{
	int *memory, value = 7, result = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_lock_all(0, win);
	for (int round = 0; rank == 0 && round < ROUNDS; round++) {
		MPI_Get(&result, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FOUND */
#ifdef WRONG
		if (round < ROUNDS - 1)
#endif
			MPI_Win_flush(1, win);
	}
	if (rank == 0)
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* PARTNER */
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
