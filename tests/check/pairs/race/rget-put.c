/* pair: check=race.one-sided ranks=2 at=0
 *
 * MPI_Rget has read when its request is complete, without a flush. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, old = 0, value = 7;
	MPI_Request request;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	if (rank == 0) {
		MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
		MPI_Rget(&old, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request); /* FOUND */
#ifndef WRONG
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* PARTNER */
#ifdef WRONG
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
		MPI_Win_unlock(1, win);
	}
	MPI_Win_free(&win);
	return finish();
}
