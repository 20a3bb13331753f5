/* pair: check=race.accumulate ranks=3 at=0,2
 *
 * The same operation and type, but the second update begins in the middle of an element of the first. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {1, 2};
#ifdef WRONG
	const int second = 2;
#else
	const int second = 4;
#endif
	char *memory;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, 0, 64);
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Accumulate(values, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, win); /* FOUND */
	if (rank == 2)
		MPI_Accumulate(values, 2, MPI_INT, 1, second, 2, MPI_INT, MPI_SUM, win); /* PARTNER */
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	return finish();
}
