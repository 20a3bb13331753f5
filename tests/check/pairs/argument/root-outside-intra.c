/* pair: check=argument.root-outside ranks=2 at=0,1
 *
 * MPI_ROOT has no meaning in an intracommunicator. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int sum = 0;
	MPI_Request request;

	start(&argc, &argv);
	return_errors();
#ifdef WRONG
	MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_ROOT, MPI_COMM_WORLD); /* FOUND */
#endif
	MPI_Ireduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect(rank == 0 || sum == 1);
	return finish();
}
