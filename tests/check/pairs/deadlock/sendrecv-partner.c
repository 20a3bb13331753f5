/* pair: check=deadlock.cycle ranks=3 at=0,1,2 */
#include "../pair.h"

enum { COUNT = 1 << 20 };

int main(int argc, char **argv)
{
	/* Rank 2 sends to the wrong side. */
	static int mine[COUNT], theirs[COUNT];
	int left, dest;

	start(&argc, &argv);
	left = (rank + size - 1) % size;
	dest = (rank + 1) % size;
	mine[0] = rank;
#ifdef WRONG
	if (rank == 2)
		dest = left;
#endif
	MPI_Sendrecv(mine, COUNT, MPI_INT, dest, 0, theirs, COUNT, MPI_INT, left, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE); /* FOUND */
	MPI_Barrier(MPI_COMM_WORLD);     /* FOUND */
	expect(theirs[0] == left);
	return finish();
}
