/* pair: check=memory.overlap ranks=2 at=0,1
 *
 * A blocking send from memory that a receive is still writing to. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int data[2] = {7, 8}, value = 3;
	MPI_Request request;

	start(&argc, &argv);
	MPI_Irecv(&data[0], 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &request); /* PARTNER */
#ifdef WRONG
	MPI_Sendrecv(&data[0], 1, MPI_INT, !rank, 2, &value, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD, /* FOUND */
	             MPI_STATUS_IGNORE);
#else
	MPI_Sendrecv(&data[1], 1, MPI_INT, !rank, 2, &value, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	expect(value == 8);
#endif
	MPI_Send(&rank, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&data[0], 1, MPI_INT, !rank, 2, &value, 1, MPI_INT, !rank, 2, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
	expect(data[0] == !rank);
	return finish();
}
