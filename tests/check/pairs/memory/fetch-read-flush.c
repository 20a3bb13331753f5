/* pair: check=memory.receive-read ranks=2 at=0 watchpoints always=--buffers=all */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, one = 1, result = -1, early = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	*memory = 5;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (rank == 0) {
		MPI_Fetch_and_op(&one, &result, MPI_INT, 1, 0, MPI_SUM, win); /* PARTNER */
#ifdef WRONG
		early = result; /* USED */
#endif
		MPI_Win_flush(1, win); /* FOUND */
		expect(result == 5 && early != 1);
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	return finish();
}
