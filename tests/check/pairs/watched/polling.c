/* pair: check=none ranks=2 watched=gcc-O0,gcc-O2,clang-O2
 *
 * Rank 1 waits with loads for a flag that rank 0 puts after the data. */
#include "../pair.h"

int main(int argc, char **argv)
{
	MPI_Win window;
	volatile long *memory;
	long data = 7, flag = 1;
	int found;

	start(&argc, &argv);
	MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&memory,
	                 &window);
	memory[0] = memory[1] = 0;
	MPI_Win_lock_all(0, window);
	MPI_Win_sync(window);
	MPI_Barrier(MPI_COMM_WORLD);
	if (!rank) {
		MPI_Put(&data, 1, MPI_LONG, 1, 0, 1, MPI_LONG, window);
		MPI_Win_flush(1, window);
		MPI_Put(&flag, 1, MPI_LONG, 1, 1, 1, MPI_LONG, window);
		MPI_Win_flush(1, window);
	} else {
		while (!memory[1]) {
			MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
			MPI_Win_sync(window);
		}
		expect(memory[0] == 7);
	}
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
	return finish();
}
