/* pair: check=memory.receive-read ranks=2 at=0,1 always=--buffers=all
 *
 * The sum is taken while the halo is still on its way. */
#include "../pair.h"

enum { COUNT = 1 << 15 };

__attribute__((noinline)) static double sum(const volatile double *values)
{
	double all = 0;

	for (int i = 0; i < COUNT; i++)
		all += values[i]; /* USED */
	return all;
}

int main(int argc, char **argv)
{
	double *halo = calloc(COUNT, sizeof *halo), *mine = calloc(COUNT, sizeof *mine), seen = 0;
	MPI_Request requests[2];

	start(&argc, &argv);
	mine[COUNT - 1] = rank + 1;
	MPI_Irecv(halo, COUNT, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
	MPI_Isend(mine, COUNT, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[1]);
#ifdef WRONG
	seen = sum(halo);
#endif
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* FOUND */
	seen += sum(halo);
	expect(seen >= 2 - rank);
	free(halo);
	free(mine);
	return finish();
}
