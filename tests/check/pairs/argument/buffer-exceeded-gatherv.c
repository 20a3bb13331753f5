/* pair: check=argument.buffer-exceeded ranks=2 at=0
 *
 * A displacement of MPI_Gatherv counts bytes: the last block is after the array. */
#include "../pair.h"

enum { VALUES = 100 };

int main(int argc, char **argv)
{
	double *all = calloc(2 * VALUES, sizeof *all), own[VALUES] = {0}, *behind;
	int counts[2] = {VALUES, VALUES}, displs[2] = {0, VALUES};

	start(&argc, &argv);
	behind = calloc(2 * VALUES, sizeof *all * sizeof *all);
#ifdef WRONG
	displs[1] = VALUES * (int)sizeof *all;
#endif
	MPI_Gatherv(own, VALUES, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* FOUND */
#ifndef WRONG /* which has overwritten what free() needs */
	free(behind);
	free(all);
#endif
	return finish();
}
