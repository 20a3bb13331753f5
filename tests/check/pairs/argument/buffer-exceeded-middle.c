/* pair: check=argument.buffer-exceeded ranks=2 at=1
 *
 * A receive into the middle of a block; the message is shorter. The data before looks like the header of a block of the heap. */
#include "../pair.h"

enum { VALUES = 400, MIDDLE = 202, HEADER = 33 };

int main(int argc, char **argv)
{
	int64_t *values, *behind;
	int count = VALUES - MIDDLE;

	start(&argc, &argv);
	values = malloc(VALUES * sizeof *values);
	behind = calloc(VALUES, sizeof *behind); /* receives the excess bytes */
	for (int i = 0; i < VALUES; i++)
		values[i] = HEADER;
#ifdef WRONG
	count += 10;
#endif
	if (rank == 0)
		MPI_Send(values, 100, MPI_INT64_T, 1, 0, MPI_COMM_WORLD);
	else
		MPI_Recv(&values[MIDDLE], count, MPI_INT64_T, 0, 0, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE); /* FOUND */
	free(behind);
	free(values);
	return finish();
}
