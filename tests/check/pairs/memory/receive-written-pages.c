/* pair: check=memory.receive-written ranks=2 at=0,1 always=--buffers=all
 *
 * Whole pages show where the program wrote. */
#include "../pair.h"

enum { COUNT = 1 << 15 };

static double halo[COUNT], mine[COUNT];

__attribute__((noinline)) static void smooth(volatile double *values, int first, int last)
{
	for (int i = first; i < last; i++)
		values[i] = 0.5; /* USED */
}

int main(int argc, char **argv)
{
	MPI_Request requests[2];

	start(&argc, &argv);
	mine[COUNT - 1] = rank + 1;
	MPI_Irecv(halo, COUNT, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
	MPI_Isend(mine, COUNT, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[1]);
#ifdef WRONG
	smooth(halo, COUNT / 2, COUNT / 2 + 10);
#endif
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* FOUND */
	expect(halo[COUNT - 1] == 2 - rank);
	smooth(halo, COUNT / 2, COUNT / 2 + 10);
	return finish();
}
