/* pair: check=deadlock.cycle ranks=5 at=0,1,2,3,4 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int left = (rank + size - 1) % size, right = (rank + 1) % size;

#ifdef WRONG
	MPI_Ssend(&rank, 1, MPI_INT, right, 3, MPI_COMM_WORLD); /* FOUND */
	MPI_Recv(&theirs, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
	MPI_Request request;

	MPI_Irecv(&theirs, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &request);
	MPI_Ssend(&rank, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
	expect(theirs == left);
	return finish();
}
