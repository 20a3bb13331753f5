/* tarry-test: ranks=4
 *
 * Neighbourhood collectives on a ring of four (two neighbours each), blocking and not. */
#include "checksum.h"

#include <mpi.h>

static int out[16], in[16];
static const int counts[2] = {1, 1};
static const int places[2] = {0, 1};
static const MPI_Aint bytes[2] = {0, 4};

static void blocking(MPI_Comm ring, const MPI_Datatype *types)
{
	MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, ring);
	/* @* comm=$ring sent=8 received=16 */
	MPI_Neighbor_allgatherv(out, 1, MPI_INT, in, counts, places, MPI_INT, ring);
	/* @* comm=$ring sent=4 received=8 */
	MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, ring);
	/* @* comm=$ring sent=16 received=16 */
	MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, ring);
	/* @* comm=$ring sent=8 received=8 */
	MPI_Neighbor_alltoallw(out, counts, bytes, types, in, counts, bytes, types, ring);
	/* @* comm=$ring sent=8 received=8 */
	checksum_add(in, sizeof(in));
}

static void nonblocking(MPI_Comm ring, const MPI_Datatype *types)
{
	MPI_Request request;

	MPI_Ineighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, ring, &request);
	/* @* comm=$ring sent=8 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	MPI_Ineighbor_allgatherv(out, 1, MPI_INT, in, counts, places, MPI_INT, ring, &request);
	/* @* comm=$ring sent=4 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	MPI_Ineighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, ring, &request);
	/* @* comm=$ring sent=16 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	MPI_Ineighbor_alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, ring, &request);
	/* @* comm=$ring sent=8 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	MPI_Ineighbor_alltoallw(out, counts, bytes, types, in, counts, bytes, types, ring, &request);
	/* @* comm=$ring sent=8 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @* done=0 */
	checksum_add(in, sizeof(in));
}

int main(int argc, char **argv)
{
	int rank;
	static const int size = 4, periodic = 1;
	MPI_Datatype types[2] = {MPI_INT, MPI_INT};
	MPI_Comm ring;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
	/* @0 comm=$world newcomm=$ring member=3,1
	 * @1 comm=$world newcomm=$ring member=0,2
	 * @2 comm=$world newcomm=$ring member=1,3
	 * @3 comm=$world newcomm=$ring member=2,0 */
	MPI_Comm_rank(ring, &rank);
	for (int i = 0; i < 16; i++)
		out[i] = rank * 10 + i;
	blocking(ring, types);
	nonblocking(ring, types);
	MPI_Comm_free(&ring);
	/* @* comm=$ring */
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @comm $ring size=4 kind=cart members=0,1,2,3 parent=$world */
