/* pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
 *
 * The contribution to a reduction is changed too early. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int mine[3] = {1, 2, 3}, sum[3];
	MPI_Request request;

	start(&argc, &argv);
	MPI_Iallreduce(mine, sum, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
	mine[1] = 20;
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	expect(sum[2] == 6);
	MPI_Iallreduce(MPI_IN_PLACE, mine, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return finish();
}
