/* pair: check=argument.null-buffer ranks=2 at=1 also=end.abort dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int memory[16];
	MPI_Aint bytes;
	MPI_Win win;

	start(&argc, &argv);
	bytes = rank == 1 ? 0 : sizeof memory;
#ifdef WRONG
	bytes = sizeof memory;
#endif
	return_errors();
	MPI_Win_create(rank == 1 ? NULL : memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win); /* FOUND */
#ifndef WRONG
	MPI_Win_fence(0, win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
#else
	MPI_Abort(MPI_COMM_WORLD, 1); /* FOUND: end.abort */
#endif
	return finish();
}
