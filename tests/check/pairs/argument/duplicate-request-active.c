/* pair: check=argument.duplicate-request ranks=2 at=1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {0}, done = 0;
	MPI_Request requests[2];

	start(&argc, &argv);
	return_errors();
	if (rank == 0) {
		MPI_Send(&size, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		MPI_Send(&size, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		return finish();
	}
	MPI_Irecv(&values[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]); /* MAY */
	MPI_Irecv(&values[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]);
#ifdef WRONG
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	requests[1] = requests[0];
	MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE); /* FOUND */
	if (!done)
		MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#else
	while (!done)
		MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
	expect(values[0] == 2 && values[1] == 2);
#endif
	return finish();
}
