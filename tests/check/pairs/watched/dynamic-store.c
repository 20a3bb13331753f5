/* pair: check=race.local-access ranks=2 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * Dynamic window: the target stores into attached memory that another rank gets. */
#include "../pair.h"

enum { N = 64 };

int main(int argc, char **argv)
{
	MPI_Win win;
	static int mem[N], other[N], buf[8];
	int at = argc + 2, sum = 0;
	MPI_Aint mine, there;
	start(&argc, &argv);
	MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_attach(win, mem, sizeof mem);
	MPI_Get_address(mem, &mine);
	MPI_Sendrecv(&mine, 1, MPI_AINT, 1 - rank, 0, &there, 1, MPI_AINT, 1 - rank, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	if (!rank) {
		MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
		MPI_Get(buf, 8, MPI_INT, 1, there, 8, MPI_INT, win); /* FOUND */
		MPI_Win_unlock(1, win);
	} else {
#ifdef WRONG
		mem[at] = 4; /* USED */
#else
		mem[at + 8] = 4;
#endif
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_detach(win, mem);
	mem[at] = 1;
	MPI_Win_free(&win);
	expect(sum >= 0);
	expect(other[at] == 0);
	return finish();
}
