/* pair: check=collective.count-mismatch ranks=3 at=0,2 dies
 *
 * All have to divide the result in the same way. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[4] = {1, 2, 3, 4}, part[2] = {0}, counts[3] = {1, 1, 2};

	start(&argc, &argv);
	return_errors();
#ifdef WRONG
	if (rank == 2)
		counts[0] = 0, counts[1] = 2;
#endif
	MPI_Reduce_scatter(values, part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* FOUND */
	expect(part[0] == 3 * (rank + 1));
	return finish();
}
