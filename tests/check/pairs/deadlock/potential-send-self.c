/* pair: check=deadlock.potential-send ranks=1 at=0 mpi=openmpi
 *
 * MPICH buffers no message of a process to itself: there it is a deadlock. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
#ifdef WRONG
	MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* FOUND */
	MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
	MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	expect(theirs == 0);
	return finish();
}
