/* pair: check=window.assertion ranks=3 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 7;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
	if (rank < 2)
		MPI_Win_fence(MPI_MODE_NOSUCCEED, win); /* PARTNER */
	else
#ifdef WRONG
		MPI_Win_fence(0, win); /* FOUND */
#else
		MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE, win);
#endif
	expect(memory[0] == 7);
	MPI_Win_free(&win);
	return finish();
}
