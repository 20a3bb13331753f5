/* pair: check=race.local-access ranks=2
 *
 * MPI_Get of rank 1 writes its own window until the unlock; rank 0 reads there. The message comes before the unlock, or after it. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, values[4] = {0}, token = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, 0, 16 * sizeof(int));
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1) {
		MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
		MPI_Get(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win); /* PARTNER */
#ifdef WRONG
		MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		MPI_Win_unlock(0, win);
#else
		MPI_Win_unlock(0, win);
		MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
	} else {
		MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
		MPI_Get(values, 4, MPI_INT, 1, 2, 4, MPI_INT, win); /* FOUND */
		MPI_Win_unlock(1, win);
	}
	MPI_Win_free(&win);
	return finish();
}
