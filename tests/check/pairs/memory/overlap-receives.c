/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * Two receives into the same element. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[4] = {0}, mine;
	MPI_Request requests[4];

	start(&argc, &argv);
	mine = rank + 1;
	MPI_Irecv(&data[0], 2, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
#ifdef WRONG
	MPI_Irecv(&data[1], 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &requests[1]); /* FOUND */
#else
	MPI_Irecv(&data[2], 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &requests[1]);
#endif
	MPI_Isend(&mine, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(&mine, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	expect(data[0] == !rank + 1);
	return finish();
}
