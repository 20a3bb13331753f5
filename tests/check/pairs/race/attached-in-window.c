/* pair: check=race.local-access ranks=2
 *
 * MPI_Send of rank 1 reads memory that it attached to a dynamic window, and rank 0 puts there under a lock. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int memory[8], other[8];
	int values[4] = {1, 2, 3, 4};
	MPI_Aint address = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_attach(win, memory, sizeof memory);
	MPI_Win_attach(win, other, sizeof other);
	MPI_Get_address(memory, &address);
	MPI_Bcast(&address, 1, MPI_AINT, 1, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
#ifndef WRONG
		MPI_Recv(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
		MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
		MPI_Put(values, 4, MPI_INT, 1, address, 4, MPI_INT, win); /* FOUND */
		MPI_Win_unlock(1, win);
#ifdef WRONG
		MPI_Recv(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	} else {
		MPI_Send(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD); /* PARTNER */
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_detach(win, memory);
	/* It is no longer in the window. */
	MPI_Bcast(memory, 8, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Win_detach(win, other);
	MPI_Win_free(&win);
	return finish();
}
