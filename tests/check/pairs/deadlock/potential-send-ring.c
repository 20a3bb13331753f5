/* pair: check=deadlock.potential-send ranks=4 at=0,1,2,3 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int left = (rank + size - 1) % size, right = (rank + 1) % size;

#ifndef WRONG
	if (rank % 2)
		MPI_Recv(&theirs, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	for (int i = 0; i < 1; i++)
		MPI_Send(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD); /* FOUND */
#ifndef WRONG
	if (rank % 2 == 0)
#endif
		MPI_Recv(&theirs, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(theirs == left);
	return finish();
}
