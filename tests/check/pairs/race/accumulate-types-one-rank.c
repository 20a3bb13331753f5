/* pair: check=race.accumulate ranks=2 at=0
 *
 * Updates of one rank are in order only if they have the same basic type. Operations may differ. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {2, 3};
	float other[2] = {1, 2};
	char *memory;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, 0, 64);
	MPI_Win_fence(0, win);
	if (rank == 0) {
		MPI_Accumulate(values, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, win); /* FOUND */
		MPI_Accumulate(values, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_PROD, win);
#ifdef WRONG
		MPI_Accumulate(other, 2, MPI_FLOAT, 1, 0, 2, MPI_FLOAT, MPI_SUM, win); /* PARTNER */
#else
		MPI_Accumulate(other, 2, MPI_FLOAT, 1, 8, 2, MPI_FLOAT, MPI_SUM, win);
#endif
	}
	MPI_Win_fence(0, win);
#ifndef WRONG
	expect(rank != 1 || (((int *)memory)[0] == 4 && ((int *)memory)[1] == 9));
#endif
	MPI_Win_free(&win);
	return finish();
}
