/* pair: check=leak.window ranks=2 at=0,1 mpi=openmpi dies
 *
 * MPICH 4.0.2 over UCX may not deliver the data of this MPI_Put, also without a checker. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int memory[2], more[2];
	MPI_Win win, dynamic;

	start(&argc, &argv);
	MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
	MPI_Win_attach(dynamic, more, sizeof(more));
	MPI_Win_detach(dynamic, more);
	MPI_Win_free(&dynamic);
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win); /* FOUND */
	MPI_Win_fence(0, win);
	MPI_Put(&rank, 1, MPI_INT, !rank, 1, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	expect(memory[1] == !rank);
#ifndef WRONG
	MPI_Win_free(&win);
#endif
	return finish();
}
