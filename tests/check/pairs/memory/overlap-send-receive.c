/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * A buffer may be sent twice, but not received into meanwhile. */
#include "../pair.h"

int main(int argc, char **argv)
{
	double data[64] = {0}, other[64];
	MPI_Request requests[3];

	start(&argc, &argv);
	MPI_Irecv(other, 64, MPI_DOUBLE, !rank, 1, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(data, 64, MPI_DOUBLE, !rank, 1, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
#ifdef WRONG
	MPI_Irecv(&data[63], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[1]); /* FOUND */
	MPI_Send(other, 0, MPI_DOUBLE, !rank, 2, MPI_COMM_WORLD);
#else
	MPI_Isend(&data[63], 0, MPI_DOUBLE, !rank, 2, MPI_COMM_WORLD, &requests[1]);
	MPI_Recv(NULL, 0, MPI_DOUBLE, !rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	return finish();
}
