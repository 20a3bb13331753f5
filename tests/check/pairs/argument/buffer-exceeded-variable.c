/* pair: check=argument.buffer-exceeded ranks=2 at=0,1
 *
 * A static array of the wrong size. */
#include "../pair.h"

static double edge[16];
static double inside[64];

static double *data(void)
{
#ifdef WRONG
	return edge;
#else
	return inside;
#endif
}

int main(int argc, char **argv)
{
	double sums[64];

	start(&argc, &argv);
	edge[rank] = inside[rank] = 1;
	MPI_Allreduce(data(), sums, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* FOUND */
	expect(sums[0] == 1 && sums[1] == 1);
	return finish();
}
