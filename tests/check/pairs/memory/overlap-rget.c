/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * What MPI_Rget fetches is sent before it is there. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, data[4] = {0};
	MPI_Request requests[2];
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_lock_all(0, win);
	MPI_Rget(data, 4, MPI_INT, !rank, 0, 4, MPI_INT, win, &requests[0]); /* PARTNER */
#ifndef WRONG
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#endif
	MPI_Isend(data, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]); /* FOUND */
	MPI_Recv((int[1]){0}, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
