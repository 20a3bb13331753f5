/* pair: check=race.local-access ranks=3 at=0,2
 *
 * Rank 2 receives into the shared memory of rank 1, and rank 0 puts there in the same epoch. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, *neighbour, unit, values[4] = {1, 2, 3, 4};
#ifdef WRONG
	const int first = 2;
#else
	const int first = 4;
#endif
	MPI_Aint bytes;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate_shared(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_shared_query(win, 1, &bytes, &unit, &neighbour);
	MPI_Win_fence(0, win);
	if (rank == 0) {
		MPI_Put(values, 4, MPI_INT, 1, first, 4, MPI_INT, win); /* FOUND */
		MPI_Send(values, 4, MPI_INT, 2, 0, MPI_COMM_WORLD);
	}
	if (rank == 2)
		MPI_Recv(neighbour, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* PARTNER */
	MPI_Win_fence(0, win);
#ifndef WRONG
	expect(rank != 1 || (memory[0] == 1 && memory[4] == 1 && memory[7] == 4));
#endif
	/* Buffers in different memory of one window */
	MPI_Sendrecv(memory, 1, MPI_INT, (rank + 1) % 3, 0, memory + 1, 1, MPI_INT, (rank + 2) % 3, 0,
	             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Win_free(&win);
	return finish();
}
