/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * Both are started by one call. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[2] = {0}, value = 5;
	MPI_Request requests[2], send[2];

	start(&argc, &argv);
	MPI_Recv_init(&data[0], 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
#ifdef WRONG
	MPI_Recv_init(&data[0], 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &requests[1]); /* PARTNER */
#else
	MPI_Recv_init(&data[1], 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &requests[1]);
#endif
	for (int i = 0; i < 3; i++) {
		MPI_Startall(2, requests); /* FOUND */
		MPI_Isend(&value, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &send[0]);
		MPI_Isend(&value, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &send[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		MPI_Waitall(2, send, MPI_STATUSES_IGNORE);
	}
	expect(data[0] == 5);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	return finish();
}
