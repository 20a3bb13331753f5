/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int other = 1 - rank;
	MPI_Message message;

#ifdef WRONG
	if (rank == 0)
		MPI_Recv(&theirs, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#endif
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
	if (rank == 1) {
		MPI_Mprobe(other, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* FOUND */
		MPI_Mrecv(&theirs, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
		MPI_Send(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
	}
#ifndef WRONG
	if (rank == 0)
		MPI_Recv(&theirs, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	expect(theirs == other);
	return finish();
}
