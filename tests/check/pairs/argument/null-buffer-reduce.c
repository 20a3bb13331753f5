/* pair: check=argument.null-buffer ranks=2 at=0 dies
 *
 * Where nothing arrives, there need not be a buffer. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int sum = 0, all[2] = {0};

	start(&argc, &argv);
	return_errors();
	MPI_Reduce(&rank, rank ? NULL : &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	expect(rank || sum == 1);
	MPI_Gather(&rank, 1, MPI_INT, rank ? NULL : all, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Gatherv(rank ? &rank : NULL, rank, MPI_INT, rank ? NULL : all, (int[]){0, 1}, (int[]){0, 0},
	            MPI_INT, 0, MPI_COMM_WORLD);
	expect(rank || all[0] == 1);
	MPI_Scatter(rank ? NULL : all, 1, MPI_INT, &sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
#ifdef WRONG
	MPI_Reduce(&rank, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* FOUND */
#endif
	return finish();
}
