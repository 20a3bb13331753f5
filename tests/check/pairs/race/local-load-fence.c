/* pair: check=race.local-access ranks=2 always=--buffers=all */
#include "../pair.h"

enum { INTS = 40000, LAST = INTS - 1 };

int main(int argc, char **argv)
{
	int *memory, value = 7, seen = 0, found = 0;
	int *base;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(INTS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &found);
	expect(found && base == memory);
	memory[LAST] = 0;
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Put(&value, 1, MPI_INT, 1, LAST, 1, MPI_INT, win); /* FOUND */
#ifndef WRONG
	MPI_Win_fence(MPI_MODE_NOPUT, win);
#endif
	if (rank == 1)
		seen = memory[LAST]; /* USED */
	MPI_Win_fence(0, win);
#ifndef WRONG
	expect(rank == 0 || seen == 7);
#endif
	MPI_Win_free(&win);
	return finish();
}
