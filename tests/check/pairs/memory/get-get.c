/* pair: check=memory.overlap ranks=2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, values[2] = {0, 0};
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memory[0] = memory[1] = rank + 1;
	MPI_Win_fence(0, win);
	MPI_Get(values, 1, MPI_INT, !rank, 0, 1, MPI_INT, win); /* PARTNER */
#ifdef WRONG
	MPI_Get(values, 1, MPI_INT, !rank, 1, 1, MPI_INT, win); /* FOUND */
#else
	MPI_Get(values + 1, 1, MPI_INT, !rank, 1, 1, MPI_INT, win);
#endif
	MPI_Win_fence(0, win);
	expect(values[0] == 2 - rank);
	MPI_Win_free(&win);
	return finish();
}
