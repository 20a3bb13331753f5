/* pair: check=memory.overlap ranks=2 at=0
 *
 * A loop of puts reads all of the buffer until the epoch ends; memory after it may be written. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, values[12] = {0}, *into = &values[8];
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memory[9] = rank + 5;
	MPI_Win_fence(0, win);
#ifdef WRONG
	into = &values[6];
#endif
	if (rank == 0) {
		for (int i = 0; i < 8; i++)
			MPI_Put(&values[i], 1, MPI_INT, 1, i, 1, MPI_INT, win); /* PARTNER */
		MPI_Get(into, 1, MPI_INT, 1, 9, 1, MPI_INT, win);               /* FOUND */
	}
	MPI_Win_fence(0, win);
	/* The first ones are the program's again. */
	if (rank == 0)
		MPI_Get(values, 8, MPI_INT, 1, 0, 8, MPI_INT, win);
	MPI_Win_fence(0, win);
	expect(rank || *into == 6 || into < &values[8]);
	MPI_Win_free(&win);
	return finish();
}
