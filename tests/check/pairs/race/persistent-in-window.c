/* pair: check=race.local-access ranks=2
 *
 * A persistent receive writes the window of rank 1 each time it starts, and so does MPI_Put of rank 0 in the same epoch. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, values[4] = {0}; /* as the window: the buffer does not change */
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, 0, 16 * sizeof(int));
	if (rank == 1)
		MPI_Recv_init(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Put(values, 4, MPI_INT, 1, 0, 4, MPI_INT, win); /* FOUND */
#ifndef WRONG
	MPI_Win_fence(0, win);
#endif
	if (rank == 0)
		MPI_Send(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
	else
		MPI_Start(&request); /* PARTNER */
	if (rank == 1)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_fence(0, win);
	/* A request is not an access between its starts. */
	if (rank == 0)
		MPI_Put(values, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
	MPI_Win_fence(0, win);
	if (rank == 1)
		MPI_Request_free(&request);
	MPI_Win_free(&win);
	return finish();
}
