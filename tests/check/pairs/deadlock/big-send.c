/* pair: check=deadlock.cycle ranks=2 at=0,1 */
#include "../pair.h"

enum { COUNT = 2 << 20 };

int main(int argc, char **argv)
{
	static int mine[COUNT], theirs[COUNT];
	start(&argc, &argv);
	/* No library buffers this much. */
	const int other = 1 - rank;

	mine[COUNT - 1] = rank;
#ifdef WRONG
	MPI_Send(mine, COUNT, MPI_INT, other, 0, MPI_COMM_WORLD); /* FOUND */
	MPI_Recv(theirs, COUNT, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
	MPI_Sendrecv(mine, COUNT, MPI_INT, other, 0, theirs, COUNT, MPI_INT, other, 0, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
#endif
	expect(theirs[COUNT - 1] == other);
	return finish();
}
