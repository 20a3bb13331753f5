/* pair: check=collective.in-place-mismatch ranks=2 at=0,1
 *
 * Of some calls all work in place or none; prefix sums leave it to each process. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value, sum = 0;

	start(&argc, &argv);
	value = sum = rank + 1;
	MPI_Scan(rank ? MPI_IN_PLACE : &value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	expect(sum == (rank ? 3 : 1));
#ifdef WRONG
	MPI_Allreduce(rank ? MPI_IN_PLACE : &value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* FOUND */
#else
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	expect(value == 3);
#endif
	return finish();
}
