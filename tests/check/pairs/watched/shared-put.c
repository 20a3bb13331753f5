/* pair: check=race.local-access ranks=2 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * Shared memory: a rank puts, the target loads in the same epoch. */
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
	MPI_Win_fence(0, win);
	if (!rank)
		MPI_Put(buf, 8, MPI_INT, 1, 0, 8, MPI_INT, win); /* FOUND */
#ifdef WRONG
	else
		sum += mem[at]; /* USED */
#endif
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	MPI_Win_free(&win);
	expect(sum >= 0);
	expect(at);
	return finish();
}
