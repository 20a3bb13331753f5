/* pair: check=argument.freed-buffer ranks=2 at=0
 *
 * The block is freed before its second half is sent. */
#include "../pair.h"

enum { VALUES = 10000, HALF = VALUES / 2 };

int main(int argc, char **argv)
{
	int *values, *behind, received[HALF];

	start(&argc, &argv);
	values = calloc(VALUES, sizeof *values);
	behind = calloc(VALUES, sizeof *behind);
#ifdef WRONG
	free(values);
#endif
	if (rank == 0)
		MPI_Send(values + HALF, HALF, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FOUND */
	else
		MPI_Recv(received, HALF, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef WRONG
	free(values);
#endif
	free(behind);
	return finish();
}
