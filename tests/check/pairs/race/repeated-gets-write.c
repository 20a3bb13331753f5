/* pair: check=race.one-sided ranks=3 at=0,1
 *
 * A process adds results to one window and reads a block of another one again and again. A rank that reads nothing writes to that block. */
#include "../pair.h"

enum { ROUNDS = 10 };

int main(int argc, char **argv)
{
	int *sums, *blocks, value = 7, result = 0;
	MPI_Win added, read;

	start(&argc, &argv);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &sums, &added);
	MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &blocks, &read);
	MPI_Win_set_errhandler(read, MPI_ERRORS_RETURN);
	MPI_Win_lock_all(0, added);
	MPI_Win_lock_all(0, read);
	for (int round = 0; rank == 0 && round < ROUNDS; round++) {
		MPI_Accumulate(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, added);
		MPI_Win_flush(2, added);
		MPI_Get(&result, 1, MPI_INT, 2, 0, 1, MPI_INT, read); /* FOUND */
		MPI_Win_flush(2, read);
	}
#ifndef WRONG
	MPI_Barrier(MPI_COMM_WORLD);
#endif
	if (rank == 1) {
		MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, read); /* PARTNER */
		MPI_Win_flush(2, read);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_unlock_all(read);
	MPI_Win_unlock_all(added);
	MPI_Win_free(&read);
	MPI_Win_free(&added);
	return finish();
}
