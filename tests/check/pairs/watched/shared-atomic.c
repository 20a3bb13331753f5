/* pair: check=none ranks=2 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * Shared memory: a rank waits for an atomic flag there; both count in an atomic variable. */
#include "../pair.h"

#include <stdatomic.h>

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
	if (!rank)
		atomic_store((atomic_int *)(base0 + 32), 0);
	MPI_Barrier(MPI_COMM_WORLD);
	if (!rank) {
		base0[at] = 77;
		atomic_store((atomic_int *)(base0 + 32), 1);
	} else {
		while (!atomic_load((atomic_int *)(base0 + 32)))
			;
		sum += base0[at];
	}
	atomic_fetch_add((atomic_int *)(base0 + 33), 1);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	expect(sum >= 0);
	expect(at);
	return finish();
}
