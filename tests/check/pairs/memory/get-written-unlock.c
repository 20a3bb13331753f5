/* pair: check=memory.receive-written ranks=2 at=0 always=--buffers=all */
#include "../pair.h"

enum { COUNT = 4096 };

int main(int argc, char **argv)
{
	int *memory, *result = calloc(COUNT, sizeof *result);
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(COUNT * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
	                 &win);
	for (int i = 0; i < COUNT; i++)
		memory[i] = rank + i;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (rank == 0) {
		MPI_Get(result, COUNT, MPI_INT, 1, 0, COUNT, MPI_INT, win); /* PARTNER */
#ifdef WRONG
		result[0] = 42; /* SEEN */
#else
		MPI_Win_flush_local(1, win);
		expect(result[0] == 1 && result[COUNT - 1] == COUNT);
		result[0] = 42;
#endif
	}
	MPI_Win_unlock_all(win); /* FOUND */
#ifndef WRONG
	expect(rank || (result[0] == 42 && result[1] == 2));
#endif
	MPI_Win_free(&win);
	free(result);
	return finish();
}
