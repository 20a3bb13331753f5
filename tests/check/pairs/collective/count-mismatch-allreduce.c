/* pair: check=collective.count-mismatch ranks=2 at=0,1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {1, 2}, sums[2] = {0}, count = 2, all[2];
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
	MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(all[1] == 1);
#ifdef WRONG
	count = 2 - rank;
#endif
	MPI_Reduce(values, sums, count, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* FOUND */
	return finish();
}
