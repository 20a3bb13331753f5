/* pair: check=race.local-access ranks=2
 *
 * MPI_Put of rank 1 reads its own window, and rank 0 writes other values there in the same epoch. The program itself writes nothing: there is one finding. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, values[4] = {1, 2, 3, 4};
#ifdef WRONG
	const int first = 0;
#else
	const int first = 4;
#endif
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memset(memory, 0, 16 * sizeof(int));
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (rank == 1)
		MPI_Put(memory, 4, MPI_INT, 0, 8, 4, MPI_INT, win); /* PARTNER */
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Put(values, 4, MPI_INT, 1, first, 4, MPI_INT, win); /* FOUND */
		MPI_Win_flush(1, win);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_free(&win);
	return finish();
}
