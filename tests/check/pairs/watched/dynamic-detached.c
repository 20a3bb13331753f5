/* pair: check=none ranks=2 watched=gcc-O0,gcc-O2,clang-O0,clang-O2
 *
 * Dynamic window: stores while memory is detached. */
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
	MPI_Win_fence(0, win);
	if (!rank)
		MPI_Put(buf, 8, MPI_INT, 1, there, 8, MPI_INT, win);
	MPI_Win_fence(0, win);
	MPI_Win_detach(win, mem);
	mem[at] = 3;
	MPI_Win_attach(win, mem, sizeof mem);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_fence(0, win);
	if (!rank)
		MPI_Get(buf, 8, MPI_INT, 1, there, 8, MPI_INT, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	MPI_Win_detach(win, mem);
	mem[at] = 1;
	MPI_Win_free(&win);
	expect(sum >= 0);
	expect(other[at] == 0);
	return finish();
}
