/* pair: check=memory.send-changed ranks=2 at=0,1 mpi=mpich always=--buffers=send
 *
 * A partition may be written until it is marked ready. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int out[4] = {0}, in[4] = {0};
	MPI_Request send, receive;

	start(&argc, &argv);
	MPI_Psend_init(out, 2, 2, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &send); /* PARTNER */
	MPI_Precv_init(in, 2, 2, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
	MPI_Start(&send); /* PARTNER */
	MPI_Start(&receive);
	out[1] = 1;
	MPI_Pready(0, send);
	out[3] = 3;
#ifdef WRONG
	out[0] = 4;
#endif
	MPI_Pready(1, send);
	MPI_Wait(&send, MPI_STATUS_IGNORE); /* FOUND */
	MPI_Wait(&receive, MPI_STATUS_IGNORE);
	expect(in[3] == 3);
	MPI_Request_free(&send);
	MPI_Request_free(&receive);
	return finish();
}
