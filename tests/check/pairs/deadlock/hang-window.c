/* pair: check=deadlock.hang ranks=3 options=--hang-timeout,2
 *
 * Rank 0 repeatedly reads a flag in its window. No rank sets it. */
#include "../pair.h"

#include <unistd.h>

/* Not a plain load: others may write it at the same time. All calls are on one line, because the rank may be stopped in each. */
#define FLAG &none, &set, MPI_INT, 0, 0, MPI_NO_OP, win

int main(int argc, char **argv)
{
	int *flag, none = 0, set;
	MPI_Win win;

	start(&argc, &argv);
	MPI_Win_allocate(sizeof *flag, sizeof *flag, MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &win);
	*flag = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
#ifndef WRONG
	if (rank == 2) {
		const int one = 1;

		MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
		MPI_Win_flush(0, win);
	}
#endif
	do
		MPI_Fetch_and_op(FLAG), MPI_Win_flush(0, win), usleep(1000); /* FOUND */
	while (rank == 0 && !set);
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD); /* PARTNER */
	MPI_Win_free(&win);
	return finish();
}
