/* pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
 *
 * Between two calls of MPI_Test. */
#include "../pair.h"

int main(int argc, char **argv)
{
	static int data[100], other[100];
	int done = 0;
	MPI_Request send, receive;

	start(&argc, &argv);
	MPI_Irecv(other, 100, MPI_INT, !rank, 0, MPI_COMM_WORLD, &receive);
	MPI_Issend(data, 100, MPI_INT, !rank, 0, MPI_COMM_WORLD, &send); /* PARTNER */
#ifdef WRONG
	data[99]++;
#endif
	while (!done)
		MPI_Test(&send, &done, MPI_STATUS_IGNORE); /* FOUND */
	data[99]++;
	MPI_Wait(&receive, MPI_STATUS_IGNORE);
	return finish();
}
