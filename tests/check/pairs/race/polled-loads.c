/* pair: check=none ranks=2 mpi=openmpi always=--buffers=all
 *
 * A program that waits with loads for a remote write knows what it does: with loads alone, and with other calls between them.
 * MPICH writes only while the target is in a call. */
#include "../pair.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	volatile int *memory;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&memory, &win);
	memory[0] = memory[1] = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	for (int round = 0; round < 2; round++) {
		const int value = 7;

		if (rank == 0) {
			usleep(200000);
			MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
			MPI_Put(&value, 1, MPI_INT, 1, round, 1, MPI_INT, win);
			MPI_Win_unlock(1, win);
		}
		while (rank == 1 && memory[round] != 7) {
			int flag;

			if (round == 1)
				MPI_Iprobe(0, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
			usleep(10000);
		}
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_free(&win);
	return finish();
}
