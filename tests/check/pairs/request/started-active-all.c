/* pair: check=request.started-active ranks=2 at=0,1 dies */
#include "../pair.h"

int main(int argc, char **argv)
{
	int in = -1, nowhere = 0;
	MPI_Request requests[3];

	start(&argc, &argv);
	return_errors();
	MPI_Recv_init(&in, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(&rank, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]);
	MPI_Send_init(&nowhere, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[2]); /* PARTNER */
	for (int i = 0; i < 3; i++) {
		MPI_Startall(3, requests); /* MAY */
		MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	}
	expect(in == !rank);
#ifdef WRONG
	MPI_Start(&requests[2]);   /* MAY */
	MPI_Startall(3, requests); /* FOUND */
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
#endif
	for (int i = 0; i < 3; i++)
		MPI_Request_free(&requests[i]);
	return finish();
}
