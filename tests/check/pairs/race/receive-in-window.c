/* pair: check=race.local-access ranks=2
 *
 * A receive writes the window of rank 1, and so does MPI_Put in the same epoch. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, values[4] = {1, 2, 3, 4};
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, 0, 16 * sizeof(int));
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Put(values, 4, MPI_INT, 1, 0, 4, MPI_INT, win); /* FOUND */
#ifndef WRONG
	MPI_Win_fence(0, win);
#endif
	if (rank == 0)
		MPI_Send(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
	else
		MPI_Recv(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* PARTNER */
	MPI_Win_fence(0, win);
	/* The put is complete before the message: */
	if (rank == 0) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, MPI_MODE_NOCHECK, win);
		MPI_Put(values, 4, MPI_INT, 1, 4, 4, MPI_INT, win);
		MPI_Win_unlock(1, win);
		MPI_Send(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Recv(memory + 4, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Win_free(&win);
	return finish();
}
