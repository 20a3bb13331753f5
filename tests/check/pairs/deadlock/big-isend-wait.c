/* pair: check=deadlock.cycle ranks=3 at=0,1,2 */
#include "../pair.h"

enum { COUNT = 2 << 20 };

int main(int argc, char **argv)
{
	static int mine[COUNT], theirs[COUNT];
	start(&argc, &argv);
	const int left = (rank + size - 1) % size, right = (rank + 1) % size;
	MPI_Request request;

	mine[COUNT - 1] = rank;
	MPI_Isend(mine, COUNT, MPI_INT, right, 0, MPI_COMM_WORLD, &request); /* MAY */
#ifdef WRONG
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* FOUND */
	MPI_Recv(theirs, COUNT, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
	MPI_Recv(theirs, COUNT, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
	expect(theirs[COUNT - 1] == left);
	return finish();
}
