/* pair: check=memory.receive-read ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * MPI_Win_flush of another target than that of MPI_Get. */
#include "../pair.h"

enum { N = 64 };

int main(int argc, char **argv)
{
	MPI_Win win;
	static int buf[N];
	int *mem, at = argc + 2, sum = 0;
	start(&argc, &argv);
	MPI_Win_allocate(N * sizeof *mem, sizeof *mem, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
	for (int i = 0; i < N; i++)
		mem[i] = i;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	if (!rank) {
		MPI_Get(buf, 8, MPI_INT, 1, 0, 8, MPI_INT, win); /* PARTNER */
#ifdef WRONG
		MPI_Win_flush(0, win);
#else
		MPI_Win_flush(1, win);
#endif
		sum += buf[at]; /* USED */
	}
	MPI_Win_unlock_all(win); /* FOUND */
	MPI_Win_free(&win);
	expect(sum >= 0);
	expect(at);
	return finish();
}
