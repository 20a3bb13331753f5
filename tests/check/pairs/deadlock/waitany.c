/* pair: check=deadlock.cycle ranks=3 at=0,1,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs[2] = {-1, -1};
	start(&argc, &argv);
	/* Any message would be enough, but no rank sends before it has received one. */
	const int left = (rank + 2) % 3, right = (rank + 1) % 3;
	MPI_Request requests[2];
	int index;

	MPI_Irecv(&theirs[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);  /* MAY */
	MPI_Irecv(&theirs[1], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[1]); /* MAY */
#ifdef WRONG
	MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE); /* FOUND */
#endif
	MPI_Send(&rank, 1, MPI_INT, left, 0, MPI_COMM_WORLD);
	MPI_Send(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
	MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	expect(theirs[0] == left && theirs[1] == right);
	return finish();
}
