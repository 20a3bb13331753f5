/* pair: check=race.local-access ranks=2 watched=gcc-O0,clang-O0
 *
 * Shared memory: a rank puts into its own memory, another one loads there. */
#include "../pair.h"

enum { N = 64 };

int main(int argc, char **argv)
{
	MPI_Win win;
	int *mem, *base0, unit, at = argc + 2, sum = 0, buf[8] = {0};
	MPI_Aint bytes;
	start(&argc, &argv);
	MPI_Win_allocate_shared(N * sizeof *mem, sizeof *mem, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
	MPI_Win_shared_query(win, 0, &bytes, &unit, &base0);
	for (int i = 0; i < N; i++)
		mem[i] = i;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
	if (!rank) {
		MPI_Put(buf, 8, MPI_INT, 0, 0, 8, MPI_INT, win); /* FOUND */
		MPI_Win_flush(0, win);
	}
#ifndef WRONG
	MPI_Win_sync(win);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_sync(win);
#endif
	if (rank)
		sum += base0[at]; /* USED */
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	expect(sum >= 0);
	expect(at);
	return finish();
}
