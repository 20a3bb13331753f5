/* pair: check=argument.buffer-exceeded ranks=2 at=0
 *
 * The count is in bytes: the send reads beyond the block. */
#include "../pair.h"

enum { VALUES = 50 };

int main(int argc, char **argv)
{
	int *values = malloc(VALUES * sizeof *values), received[VALUES * sizeof(int)], count = VALUES;

	start(&argc, &argv);
	memset(values, 0, VALUES * sizeof *values);
#ifdef WRONG
	count = VALUES * sizeof(int);
#endif
	if (rank == 0)
		MPI_Send(values, count, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FOUND */
	else
		MPI_Recv(received, VALUES * sizeof(int), MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	free(values);
	return finish();
}
