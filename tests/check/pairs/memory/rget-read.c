/* pair: check=memory.receive-read ranks=2 at=0 watchpoints always=--buffers=all */
#include "../pair.h"

int main(int argc, char **argv)
{
	long *memory, result = 0, early = 0;
	MPI_Request request;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	*memory = rank + 5;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (rank == 0) {
		MPI_Rget(&result, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win, &request); /* PARTNER */
#ifdef WRONG
		early = result; /* USED */
#endif
		MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	}
	MPI_Win_unlock_all(win);
	expect(early != 1);
	MPI_Win_free(&win);
	return finish();
}
