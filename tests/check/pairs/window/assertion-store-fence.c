/* pair: check=window.assertion ranks=2 always=--buffers=send at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	memory[0] = memory[1] = 0;
	MPI_Win_fence(0, win);
	if (rank == 0)
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
	/* What others put does not count. */
	MPI_Win_fence(MPI_MODE_NOSTORE, win);
#ifdef WRONG
	if (rank == 0)
		memory[1] = 1;
#endif
	MPI_Win_fence(MPI_MODE_NOSTORE, win); /* FOUND */
	if (rank == 1) {
		memory[1] = 2;
		expect(memory[0] == 7);
	}
	MPI_Win_fence(rank ? 0 : MPI_MODE_NOSTORE, win);
	MPI_Win_free(&win);
	return finish();
}
