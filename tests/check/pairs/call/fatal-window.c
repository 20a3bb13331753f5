/* pair: check=call.fatal ranks=2 at=0 dies
 *
 * Windows have error handlers of their own. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int memory[2] = {0};
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
#ifdef WRONG
	if (rank == 0)
		MPI_Win_set_attr(win, MPI_WIN_BASE, memory); /* FOUND */
#endif
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_free(&win);
	return finish();
}
