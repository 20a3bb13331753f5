/* pair: check=memory.receive-read ranks=2 at=0 watchpoints always=--buffers=all */
#include "../pair.h"

int main(int argc, char **argv)
{
	int memory = 0, result = 0, early = 0;
	MPI_Win win;

	start(&argc, &argv);
	memory = rank + 5;
	MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	if (rank == 0) {
		MPI_Get(&result, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* PARTNER */
#ifdef WRONG
		early = result; /* USED */
#endif
	}
	MPI_Win_fence(0, win); /* FOUND */
	expect(early != 1);
	MPI_Win_free(&win);
	return finish();
}
