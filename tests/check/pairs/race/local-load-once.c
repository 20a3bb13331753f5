/* pair: check=race.local-access ranks=2 watchpoints always=--buffers=all
 *
 * A load under a lock, outside of loops, does not wait for another process. In the right program, a loop of loads has waited for a flag before. */
#include "../pair.h"

#include <unistd.h>

enum { DATA = 0, FLAG = 2048 };

int main(int argc, char **argv)
{
	volatile int *memory;
	int value = 7, seen = 0;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(2 * FLAG * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&memory,
	                 &win);
	memory[DATA] = memory[FLAG] = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (rank == 0) {
		MPI_Put(&value, 1, MPI_INT, 1, DATA, 1, MPI_INT, win); /* FOUND */
		MPI_Win_flush(1, win);
		MPI_Put(&value, 1, MPI_INT, 1, FLAG, 1, MPI_INT, win);
		MPI_Win_flush(1, win);
	} else {
#ifndef WRONG
		int flag;

		while (!memory[FLAG]) {
			usleep(1000);
			MPI_Iprobe(0, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
		}
#endif
		seen = memory[DATA]; /* USED */
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_unlock_all(win);
	expect(seen == 0 || seen == 7);
	MPI_Win_free(&win);
	return finish();
}
