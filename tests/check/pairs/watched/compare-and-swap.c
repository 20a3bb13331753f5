/* pair: check=memory.receive-read ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * A load of the result of MPI_Compare_and_swap before MPI_Win_unlock. */
#include "../pair.h"

enum { N = 64 };

int main(int argc, char **argv)
{
	MPI_Win win;
	static int buf[N], res[N];
	int *mem, at = argc + 2, sum = 0;
	start(&argc, &argv);
	MPI_Win_allocate(N * sizeof *mem, sizeof *mem, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
	for (int i = 0; i < N; i++)
		mem[i] = i;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
	if (!rank) {
		static int expected;
		MPI_Compare_and_swap(buf + at, &expected, res + at, MPI_INT, 1, 0, win); /* PARTNER */
#ifdef WRONG
		sum += res[at]; /* USED */
#endif
	}
	MPI_Win_unlock(1, win); /* FOUND */
	sum += res[at];
	MPI_Win_free(&win);
	expect(sum >= 0);
	expect(at);
	return finish();
}
