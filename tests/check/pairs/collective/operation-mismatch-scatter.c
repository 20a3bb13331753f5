/* pair: check=collective.operation-mismatch ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {3, 4}, sum = 0;
	MPI_Op op = MPI_SUM;
	MPI_Request request;

	start(&argc, &argv);
#ifdef WRONG
	if (rank)
		op = MPI_BOR;
#endif
	MPI_Ireduce_scatter_block(values, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request); /* FOUND */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(rank || sum == 6 || op != MPI_SUM);
	return finish();
}
