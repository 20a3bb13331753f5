/* pair: check=leak.request ranks=2 at=0,1
 *
 * A request that is cancelled still has to be completed. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int value;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Irecv(&value, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &request); /* FOUND */
	MPI_Cancel(&request);
#ifndef WRONG
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
	return finish();
}
