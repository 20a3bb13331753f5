/* pair: check=memory.receive-read ranks=2 at=0 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * A load before the request of MPI_Rget is complete. */
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
		MPI_Request r;
		MPI_Rget(buf, 8, MPI_INT, 1, 0, 8, MPI_INT, win, &r); /* PARTNER */
#ifdef WRONG
		sum += buf[at]; /* USED */
#endif
		MPI_Wait(&r, MPI_STATUS_IGNORE); /* FOUND */
		sum += buf[at];
	}
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	expect(sum >= 0);
	expect(at);
	return finish();
}
