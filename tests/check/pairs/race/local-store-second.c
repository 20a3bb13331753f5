/* pair: check=race.local-access ranks=2 always=--buffers=all
 *
 * The first store is to memory that no other rank uses, in the same page: it must not hide the second. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7, members, other = 3;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memory[0] = memory[1] = memory[3] = 0;
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* FOUND */
#ifdef WRONG
	other = 1;
#endif
	if (rank == 1) {
		memory[0] = 4;
		MPI_Comm_size(MPI_COMM_WORLD, &members);
		memory[other] = 5; /* USED */
	}
	MPI_Win_fence(0, win);
#ifndef WRONG
	expect(rank == 0 || (memory[0] == 4 && memory[1] == 7 && memory[3] == 5));
#endif
	MPI_Win_free(&win);
	return finish();
}
