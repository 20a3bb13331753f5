/* pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
 *
 * The unlock gives the origin back, too, before a call waits for the request. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int *memory, value = 3;
	MPI_Request request;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_lock(MPI_LOCK_SHARED, !rank, 0, win);
	MPI_Rput(&value, 1, MPI_INT, !rank, 0, 1, MPI_INT, win, &request); /* PARTNER */
#ifdef WRONG
	value = 4;
#endif
	MPI_Win_unlock(!rank, win); /* FOUND */
	value = 5;
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_free(&win);
	return finish();
}
