/* pair: check=argument.duplicate-request ranks=2 at=0 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int values[2] = {0};
	MPI_Request requests[5];

	for (int i = 0; i < 5; i++)
		requests[i] = MPI_REQUEST_NULL;
	start(&argc, &argv);
	return_errors();
	if (rank == 0) {
		MPI_Recv_init(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]); /* MAY */
		MPI_Recv_init(&values[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[2]); /* MAY */
		MPI_Startall(1, &requests[0]);
		MPI_Startall(1, &requests[2]);
		/* Both are now inactive or MPI_REQUEST_NULL, so they complete again at once. */
		MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
		MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
#ifdef WRONG
		MPI_Start(&requests[2]); /* MAY */
		/* SHOWS: array_of_requests[5] = {MPI_Recv_init, MPI_Recv_init, MPI_Recv_init, MPI_REQUEST_NULL, ...} */
		requests[1] = requests[2];
		MPI_Waitall(5, requests, MPI_STATUSES_IGNORE); /* FOUND */
#endif
		expect(values[0] == 1 && values[1] == 1);
		MPI_Request_free(&requests[0]);
		MPI_Request_free(&requests[2]);
	} else {
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#ifdef WRONG
		MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
	}
	return finish();
}
