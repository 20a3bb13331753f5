/* pair: check=race.local-access ranks=2 watchpoints=stores always=--buffers=all
 *
 * The load of an increment comes first, its store counts as well. */
#include "../pair.h"

static int memory[4];

int main(int argc, char **argv)
{
	int value = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Get(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* FOUND */
#ifdef WRONG
	else
		memory[1]++; /* USED */
#endif
	MPI_Win_fence(0, win);
	if (rank == 1)
		memory[1]++;
	expect(value == 0 || value == 1);
	MPI_Win_free(&win);
	return finish();
}
