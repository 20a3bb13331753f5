/* pair: check=argument.buffer-exceeded ranks=2 at=1
 *
 * The window of one process is larger than its memory. */
#include "../pair.h"

enum { VALUES = 100 };

int main(int argc, char **argv)
{
	int *values = calloc(VALUES, sizeof *values), count = VALUES;
	MPI_Win window;

	start(&argc, &argv);
#ifdef WRONG
	if (rank == 1)
		count *= sizeof *values;
#endif
	MPI_Win_create(values, (MPI_Aint)(count * sizeof *values), sizeof *values, MPI_INFO_NULL,
	               MPI_COMM_WORLD, &window); /* FOUND */
	MPI_Win_free(&window);
	free(values);
	return finish();
}
