/* pair: check=race.local-access ranks=2 watchpoints=stores always=--buffers=all
 *
 * The second element of a window of doubles on the stack. */
#include "../pair.h"

int main(int argc, char **argv)
{
	_Alignas(16) double memory[4] = {0};
	double value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Get(&value, 1, MPI_DOUBLE, 1, 1, 1, MPI_DOUBLE, win); /* FOUND */
#ifndef WRONG
	MPI_Win_fence(0, win);
#endif
	if (rank == 1)
		memory[1] = 3; /* USED */
	MPI_Win_fence(0, win);
	expect(rank || value == 0 || value == 3);
	MPI_Win_free(&win);
	return finish();
}
