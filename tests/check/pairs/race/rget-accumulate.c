/* pair: check=race.one-sided ranks=2 at=0
 *
 * The request of MPI_Rget_accumulate is complete at the origin; at the target the update may still be under way. */
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
		MPI_Rget_accumulate(&value, 1, MPI_INT, &old, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM,
		                    win, /* FOUND */
		                    &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef WRONG
		MPI_Win_flush(1, win);
#endif
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* PARTNER */
		MPI_Win_unlock(1, win);
	}
	MPI_Win_free(&win);
	return finish();
}
