/* pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
 *
 * The origin of MPI_Accumulate belongs to MPI until the epoch ends. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 3;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memory[0] = 0;
	MPI_Win_fence(0, win);
	MPI_Accumulate(&value, 1, MPI_INT, !rank, 0, 1, MPI_INT, MPI_SUM, win); /* PARTNER */
#ifdef WRONG
	value = 4;
#endif
	MPI_Win_fence(0, win); /* FOUND */
	value = 5;
	MPI_Win_fence(0, win);
#ifndef WRONG
	expect(memory[0] == 3);
#endif
	MPI_Win_free(&win);
	return finish();
}
