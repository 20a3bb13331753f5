/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * The result of a collective operation that is not complete is passed on. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int mine[3] = {1, 2, 3}, sum[3], all[6];
	MPI_Request requests[2];

	start(&argc, &argv);
	MPI_Iallreduce(mine, sum, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
#ifndef WRONG
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#endif
	MPI_Iallgather(sum, 3, MPI_INT, all, 3, MPI_INT, MPI_COMM_WORLD, &requests[1]); /* FOUND */
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	expect(sum[2] == 6);
	return finish();
}
