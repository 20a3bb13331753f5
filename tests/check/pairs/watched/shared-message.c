/* pair: check=race.shared-memory ranks=2 watched=gcc-O0,clang-O0
 *
 * Shared memory: a message orders a store and a load of two ranks. */
#include "../pair.h"

enum { N = 64 };

int main(int argc, char **argv)
{
	MPI_Win win;
	int *mem, *base0, unit, at = argc + 2, sum = 0;
	MPI_Aint bytes;
	start(&argc, &argv);
	MPI_Win_allocate_shared(N * sizeof *mem, sizeof *mem, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
	MPI_Win_shared_query(win, 0, &bytes, &unit, &base0);
	for (int i = 0; i < N; i++)
		mem[i] = i;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
	if (!rank) {
		base0[at] = 5; /* ACCESSED */
#ifndef WRONG
		MPI_Win_sync(win);
		MPI_Send(&sum, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
	} else {
#ifndef WRONG
		MPI_Recv(&sum, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Win_sync(win);
#endif
		sum += base0[at]; /* ACCESSED */
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	expect(sum >= 0);
	expect(at);
	return finish();
}
