/* pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
 *
 * MPI_Win_flush_local gives the origin back, for one target. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, values[2] = {3, 4};
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_lock_all(0, win);
	MPI_Put(&values[0], 1, MPI_INT, !rank, 0, 1, MPI_INT, win);
	MPI_Win_flush_local(!rank, win);
	values[0] = 5;
	MPI_Put(&values[1], 1, MPI_INT, rank, 1, 1, MPI_INT, win); /* PARTNER */
	MPI_Win_flush_local(!rank, win);
#ifdef WRONG
	values[1] = 6;
#endif
	MPI_Win_unlock_all(win); /* FOUND */
	values[1] = 6;
	MPI_Win_free(&win);
	return finish();
}
