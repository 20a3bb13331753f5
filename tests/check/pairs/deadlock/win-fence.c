/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1, got = -1, *memory;
	start(&argc, &argv);
	MPI_Win win;

	MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	*memory = rank;
	MPI_Win_fence(0, win);
#ifdef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Get(&got, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win); /* FOUND */
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifndef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	MPI_Win_free(&win);
	expect(got == 1 - rank && (rank == 0 || theirs == 0));
	return finish();
}
