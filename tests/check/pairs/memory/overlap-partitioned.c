/* pair: check=memory.overlap ranks=2 at=0,1 mpi=mpich
 *
 * A partition may be received into until it is marked ready. */
#include "../pair.h"

int main(int argc, char **argv)
{
	int out[4] = {0}, in[4] = {0}, value = 7;
	MPI_Request send, receive, other;

	start(&argc, &argv);
	MPI_Psend_init(out, 2, 2, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &send); /* PARTNER */
	MPI_Precv_init(in, 2, 2, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
	MPI_Start(&send); /* PARTNER */
	MPI_Start(&receive);
	MPI_Pready(0, send);
#ifdef WRONG
	MPI_Irecv(&out[1], 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &other); /* FOUND */
#else
	MPI_Irecv(&out[2], 1, MPI_INT, !rank, 1, MPI_COMM_WORLD, &other);
#endif
	MPI_Send(&value, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD);
	MPI_Wait(&other, MPI_STATUS_IGNORE);
	MPI_Pready(1, send);
	MPI_Wait(&send, MPI_STATUS_IGNORE);
	MPI_Wait(&receive, MPI_STATUS_IGNORE);
#ifndef WRONG
	expect(in[2] == 7);
#endif
	MPI_Request_free(&send);
	MPI_Request_free(&receive);
	return finish();
}
