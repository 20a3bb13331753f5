/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * MPI_Request_get_status tells that a buffer is free. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data = 0, values[] = {1, 2}, complete = 0;
	MPI_Request requests[2];

	start(&argc, &argv);
	MPI_Irecv(&data, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
	MPI_Send(&values[0], 1, MPI_INT, !rank, 1, MPI_COMM_WORLD);
#ifndef WRONG
	while (!complete)
		MPI_Request_get_status(requests[0], &complete, MPI_STATUS_IGNORE);
#endif
	MPI_Irecv(&data, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &requests[1]); /* FOUND */
	MPI_Send(&values[1], 1, MPI_INT, !rank, 2, MPI_COMM_WORLD);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	expect(data == 2 || complete == 0);
	return finish();
}
