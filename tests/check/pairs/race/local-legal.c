/* pair: check=none ranks=3 mpi=openmpi always=--buffers=all */
#include "../pair.h"

/* What is right: between epochs, ordered by messages, polled, as buffers of other calls, and at other places. MPICH 4.0.2 over UCX hangs in the
 * last part also without a checker: MPI_Win_sync makes no progress there. */
int main(int argc, char **argv)
{
	int *memory, value = 7, seen = 0;
	volatile int *flag;
	MPI_Win win;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Win_allocate(5000 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	flag = memory + 4000;
	memory[0] = rank;
	*flag = 0;
	MPI_Win_fence(0, win);
	MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 1, 1, MPI_INT, win);
	expect(memory[0] == rank); /* no rank puts there */
	MPI_Win_fence(0, win);
	expect(memory[1] == (rank + size - 1) % size);
	MPI_Win_fence(0, win);
	memory[2] = rank;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Get(&seen, 1, MPI_INT, (rank + 1) % size, 2, 1, MPI_INT, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	expect(seen == (rank + 1) % size);
	MPI_Irecv(memory + 3000, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
	MPI_Send(memory, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(memory[3000] == (rank + 1) % size);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (rank == 0) {
		MPI_Accumulate(&value, 1, MPI_INT, 1, 4000, 1, MPI_INT, MPI_REPLACE, win);
		MPI_Win_flush(1, win);
	} else if (rank == 1) {
		while (*flag != 7)
			MPI_Win_sync(win);
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
