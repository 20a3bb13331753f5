/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * Persistent requests may share a buffer as long as they are not active at the same time. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data = 0, value = 5;
	MPI_Request first, second, send[2];

	start(&argc, &argv);
	MPI_Recv_init(&data, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &first);  /* PARTNER */
	MPI_Recv_init(&data, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &second); /* PARTNER */
	MPI_Isend(&value, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &send[0]);
	MPI_Isend(&value, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &send[1]);
	MPI_Start(&first); /* PARTNER */
#ifndef WRONG
	MPI_Wait(&first, MPI_STATUS_IGNORE);
#endif
	MPI_Start(&second); /* FOUND */
	MPI_Wait(&first, MPI_STATUS_IGNORE);
	MPI_Wait(&second, MPI_STATUS_IGNORE);
	MPI_Waitall(2, send, MPI_STATUSES_IGNORE);
	expect(data == 5);
	MPI_Request_free(&first);
	MPI_Request_free(&second);
	return finish();
}
