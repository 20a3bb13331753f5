/* tarry-test: ranks=2 mpi=mpich
 *
 * The twins with large counts (MPI 4): a function that ends in _c is recorded under its own name. */
#include "checksum.h"

#include <mpi.h>

static int out[4] = {41, 42, 43, 44};
static int in[8];

static void p2p(int rank)
{
	MPI_Request request[2];
	MPI_Status status;
	int peer = 1 - rank;

	MPI_Sendrecv_c(out, 4, MPI_INT, peer, 1, in, 8, MPI_INT, peer, 1, MPI_COMM_WORLD, &status);
	/* @0 peer=1 tag=1 sent=16 recv_peer=1 recv_tag=1 room=32 received=16
	 * @1 peer=0 tag=1 sent=16 recv_peer=0 received=16 */
	MPI_Irecv_c(in, 8, MPI_INT, peer, 2, MPI_COMM_WORLD, &request[0]);
	/* @0 peer=1 tag=2 room=32 request=0
	 * @1 peer=0 tag=2 room=32 request=0 */
	MPI_Isend_c(out, 3, MPI_INT, peer, 2, MPI_COMM_WORLD, &request[1]);
	/* @0 peer=1 tag=2 sent=12 request=1
	 * @1 peer=0 tag=2 sent=12 request=1 */
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	/* @0 count=2 done=0 received=12 source=1 done=1
	 * @1 count=2 done=0 received=12 source=0 done=1 */
	if (rank == 0)
		MPI_Send_c(out, 2, MPI_INT, 1, 3, MPI_COMM_WORLD);
	/* @0 peer=1 tag=3 sent=8 comm=$world */
	else
		MPI_Recv_c(in, 8, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	/* @1 peer=any tag=3 room=32 received=8 source=0 */
	checksum_add(in, sizeof(in));
}

static void collectives(void)
{
	static const MPI_Count counts[] = {1, 2};
	static const MPI_Aint places[] = {0, 4};
	MPI_Request request;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Bcast_c(in, 4, MPI_INT, 1, MPI_COMM_WORLD);
	/* @0 root=1 received=16
	 * @1 root=1 sent=16 */
	MPI_Allreduce_c(out, in, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	/* @* sent=16 received=16 op=3 */
	MPI_Allgatherv_c(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
	/* @0 sent=4 received=12
	 * @1 sent=8 received=12 */
	MPI_Iallreduce_c(out, in, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
	/* @* sent=8 op=1 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	checksum_add(in, sizeof(in));
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	p2p(rank);
	collectives();
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
