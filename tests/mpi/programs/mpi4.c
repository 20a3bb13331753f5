/* tarry-test: ranks=2 mpi=mpich
 *
 * What MPI 4 added to older chapters: non-blocking MPI_Sendrecv, of which MPICH 4.0 tells no status, and
 * MPI_Comm_idup_with_info. */
#include "checksum.h"

#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, peer, out[4] = {1, 2, 3, 4}, in[8] = {0};
	MPI_Request request;
	MPI_Comm other;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	peer = 1 - rank;
	MPI_Isendrecv(out, 4, MPI_INT, peer, 1, in, 8, MPI_INT, peer, 1, MPI_COMM_WORLD, &request);
	/* @0 comm=$world peer=1 tag=1 sent=16 recv_peer=1 recv_tag=1 room=32 request=0
	 * @1 comm=$world peer=0 tag=1 sent=16 recv_peer=0 recv_tag=1 room=32 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	MPI_Isendrecv_replace(out, 4, MPI_INT, peer, 2, peer, 2, MPI_COMM_WORLD, &request);
	/* @0 peer=1 tag=2 sent=16 recv_peer=1 request=0
	 * @1 peer=0 tag=2 sent=16 recv_peer=0 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &other, &request);
	/* @* comm=$world request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	MPI_Barrier(other);
	/* @* comm=$other */
	MPI_Comm_free(&other);
	/* @* comm=$other */
	checksum_add(in, sizeof(in));
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @comm $other size=2 members=0,1 parent=$world */
