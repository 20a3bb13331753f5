/* pair: check=deadlock.cycle ranks=3 at=0,1,2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs = -1;
	start(&argc, &argv);
	const int left = (rank + 2) % 3, right = (rank + 1) % 3;
	MPI_Request requests[2];

	MPI_Ssend_init(&rank, 1, MPI_INT, right, 4, MPI_COMM_WORLD, &requests[0]); /* MAY */
	MPI_Recv_init(&theirs, 1, MPI_INT, left, 4, MPI_COMM_WORLD, &requests[1]); /* MAY */
#ifdef WRONG
	MPI_Start(&requests[0]);                   /* MAY */
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE); /* FOUND */
	MPI_Start(&requests[1]);
#else
	MPI_Startall(2, requests);
#endif
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 2; i++)
		MPI_Request_free(&requests[i]);
	expect(theirs == left);
	return finish();
}
