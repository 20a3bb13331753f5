/* pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
 *
 * The buffer of a persistent send is filled again between two rounds, and once in the middle of one. */
#include "../pair.h"

int main(int argc, char **argv)
{
	double data[64] = {0}, other[64];
	MPI_Request requests[2];

	start(&argc, &argv);
	MPI_Send_init(data, 64, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[0]); /* PARTNER */
	MPI_Recv_init(other, 64, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, &requests[1]);
	for (int i = 0; i < 4; i++) {
		data[63] = i;
		MPI_Startall(2, requests); /* PARTNER */
#ifdef WRONG
		if (i == 2)
			data[0] = 7;
#endif
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* FOUND */
		expect(other[63] == i);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	return finish();
}
