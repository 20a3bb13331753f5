/* pair: check=deadlock.finished-process ranks=3 among=2 */
#include "../pair.h"

int main(int argc, char **argv)
{
	int theirs[2] = {-1, -1};
	start(&argc, &argv);
	MPI_Request requests[2];

	if (rank == 2) {
		MPI_Irecv(&theirs[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]); /* MAY */
		MPI_Irecv(&theirs[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]); /* MAY */
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);                         /* FOUND */
		expect(theirs[0] == 0 && theirs[1] == 1);
	}
	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
#ifndef WRONG
	if (rank == 1)
		MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
#endif
	MPI_Finalize(); /* MAY */
	if (!rank && !unexpected)
		puts("ok");
	return unexpected;
}
