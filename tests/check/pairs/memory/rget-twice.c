/* pair: check=memory.overlap ranks=2 at=0 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 0;
	MPI_Request requests[2];
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	memory[0] = memory[1] = 7;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
	if (rank == 0) {
		MPI_Rget(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &requests[0]); /* PARTNER */
#ifdef WRONG
		MPI_Rget(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win, &requests[1]); /* FOUND */
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#else
		MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
		MPI_Rget(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win, &requests[1]);
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
#endif
	}
	MPI_Win_unlock(1, win);
	MPI_Win_free(&win);
	expect(rank || value == 7);
	return finish();
}
