/* pair: check=race.one-sided ranks=3 at=0,1
 *
 * The other process gets a message that the memory was read. Two reads that other calls complete, in another order than they began. */
#include "../pair.h"

enum { COUNT = 2 };

static void read_both(MPI_Win win)
{
	MPI_Request requests[COUNT];
	int values[COUNT], done = 0;

	for (int i = 0; i < COUNT; i++)
		MPI_Rget(&values[i], 1, MPI_INT, 2, i, 1, MPI_INT, win, &requests[i]); /* FOUND */
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
#ifdef WRONG
	MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
	while (!done)
		MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
#ifndef WRONG
	MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
}

int main(int argc, char **argv)
{
	int *memory, values[COUNT] = {7, 8};
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_lock_all(0, win);
	if (rank == 0)
		read_both(win);
	if (rank == 1) {
		MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Put(&values[1], 1, MPI_INT, 2, 1, 1, MPI_INT, win);
		MPI_Put(&values[0], 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* PARTNER */
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
