/* pair: check=deadlock.potential-send ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int other = 1 - rank;
	MPI_Request request;

	MPI_Isend(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request); /* MAY */
#ifdef WRONG
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef WRONG
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
	expect(theirs == other);
	return finish();
}
