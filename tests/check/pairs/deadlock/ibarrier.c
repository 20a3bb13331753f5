/* pair: check=deadlock.cycle ranks=3 among=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	MPI_Request request;

#ifdef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Ibarrier(MPI_COMM_WORLD, &request); /* MAY */
#ifndef WRONG
	if (rank == 1)
		MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
#ifdef WRONG
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
	expect(rank != 1 || theirs == 0);
	return finish();
}
