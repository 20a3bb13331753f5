/* pair: check=race.local-access ranks=2 watched=gcc-O0,gcc-O2,clang-O2
 *
 * Rank 0 puts into a window and gets from it under a lock. Rank 1 loads what is put, and stores what is got, in its lock. */
#include "../pair.h"

enum { N = 16 };

int main(int argc, char **argv)
{
	MPI_Win window;
	long *memory, value = 1, got, sum = 0;
	int step = argc;

#ifndef WRONG
	step += 2;
#endif
	start(&argc, &argv);
	MPI_Win_allocate(N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
	for (int i = 0; i < N; i++)
		memory[i] = i;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
	if (!rank) {
		MPI_Put(&value, 1, MPI_LONG, 1, 1, 1, MPI_LONG, window); /* FOUND */
		MPI_Get(&got, 1, MPI_LONG, 1, 2, 1, MPI_LONG, window);   /* FOUND */
	} else {
		sum = memory[step];     /* USED */
		memory[step + 1] = sum; /* USED */
	}
	MPI_Win_unlock(1, window);
	MPI_Barrier(MPI_COMM_WORLD);
	sum += memory[1];
	memory[2] = sum;
	MPI_Win_free(&window);
	return finish();
}
