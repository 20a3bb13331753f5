/* pair: check=race.local-access ranks=2 watchpoints always=--buffers=all
 *
 * Memory of the program, and a load without a lock. */
#include "../pair.h"

static int memory[4];

int main(int argc, char **argv)
{
	int value = 7, seen = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	if (rank == 0) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* FOUND */
		MPI_Win_unlock(1, win);
	} else {
#ifdef WRONG
		seen = memory[0]; /* USED */
#else
		MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
		seen = memory[0];
		MPI_Win_unlock(1, win);
#endif
	}
	MPI_Barrier(MPI_COMM_WORLD);
	expect(seen == 0 || seen == 7);
	MPI_Win_free(&win);
	return finish();
}
