/* pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
 *
 * One element of a message is changed before the send is complete, and put back too late. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int data[1000], other[1000];
	MPI_Request requests[2];

	start(&argc, &argv);
	data[500] = rank;
	MPI_Irecv(other, 1000, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(data, 1000, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]); /* PARTNER */
#ifdef WRONG
	data[500] = -1;
#endif
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* FOUND */
	data[500] = -1;
#ifndef WRONG
	expect(other[500] == !rank);
#endif
	return finish();
}
