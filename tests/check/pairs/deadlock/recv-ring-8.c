/* pair: check=deadlock.cycle ranks=8 at=0,1,2,3,4,5,6,7 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int left = (rank + size - 1) % size, right = (rank + 1) % size;

#ifndef WRONG
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
#endif
	MPI_Recv(&theirs, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FOUND */
#ifndef WRONG
	if (rank != 0)
#endif
		MPI_Send(&rank, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
	expect(theirs == left);
	return finish();
}
