/* pair: check=request.not-persistent ranks=2 at=0,1 dies
 *
 * Of an array of requests that are started together, one belongs to a collective call. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int in = -1, sum = 0, count = 2;
	MPI_Request requests[3];

	start(&argc, &argv);
	return_errors();
	MPI_Recv_init(&in, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(&rank, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]);
	MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]); /* MAY */
#ifdef WRONG
	count = 3;
#endif
	MPI_Startall(count, requests); /* FOUND */
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	expect(in == !rank && sum == 1);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	return finish();
}
