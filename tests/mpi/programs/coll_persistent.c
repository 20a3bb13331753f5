/* tarry-test: ranks=2 mpi=mpich
 *
 * Persistent collectives (MPI 4), all of them: prepared once, started twice. */
#include "checksum.h"

#include <mpi.h>

enum { RANKS = 2, CALLS = 17, NEIGHBOR_CALLS = 5 };

static int out[32], in[CALLS][32];
static const int two[RANKS] = {2, 2}, places[RANKS] = {0, 4}, bytes[RANKS] = {0, 16};
static const MPI_Aint far_bytes[RANKS] = {0, 16};

static void prepare_rooted(MPI_Request *request)
{
	MPI_Comm world = MPI_COMM_WORLD;
	MPI_Info info = MPI_INFO_NULL;

	MPI_Barrier_init(world, info, &request[0]);
	/* @* comm=$world request=0 persistent=1 */
	MPI_Bcast_init(in[1], 4, MPI_INT, 1, world, info, &request[1]);
	/* @0 root=1 request=1 persistent=1
	 * @1 root=1 sent=16 request=1 persistent=1 */
	MPI_Gather_init(out, 2, MPI_INT, in[2], 2, MPI_INT, 1, world, info, &request[2]);
	/* @* root=1 sent=8 request=2 persistent=1 */
	MPI_Gatherv_init(out, 2, MPI_INT, in[3], two, places, MPI_INT, 0, world, info, &request[3]);
	/* @* root=0 sent=8 request=3 persistent=1 */
	MPI_Scatter_init(out, 2, MPI_INT, in[4], 2, MPI_INT, 0, world, info, &request[4]);
	/* @0 root=0 sent=16 request=4 persistent=1
	 * @1 root=0 request=4 persistent=1 */
	MPI_Scatterv_init(out, two, places, MPI_INT, in[5], 2, MPI_INT, 0, world, info, &request[5]);
	/* @0 root=0 sent=16 request=5 persistent=1
	 * @1 root=0 request=5 persistent=1 */
	MPI_Reduce_init(out, in[6], 5, MPI_INT, MPI_MAX, 0, world, info, &request[6]);
	/* @* root=0 op=1 sent=20 request=6 persistent=1 */
}

static void prepare_others(MPI_Request *request)
{
	MPI_Datatype types[RANKS] = {MPI_INT, MPI_INT};
	MPI_Comm world = MPI_COMM_WORLD;
	MPI_Info info = MPI_INFO_NULL;

	MPI_Allgather_init(out, 1, MPI_INT, in[7], 1, MPI_INT, world, info, &request[7]);
	/* @* sent=4 request=7 persistent=1 */
	MPI_Allgatherv_init(out, 2, MPI_INT, in[8], two, places, MPI_INT, world, info, &request[8]);
	/* @* sent=8 request=8 persistent=1 */
	MPI_Allreduce_init(out, in[9], 2, MPI_INT, MPI_SUM, world, info, &request[9]);
	/* @* op=3 sent=8 request=9 persistent=1 */
	MPI_Alltoall_init(out, 3, MPI_INT, in[10], 3, MPI_INT, world, info, &request[10]);
	/* @* sent=24 request=10 persistent=1 */
	MPI_Alltoallv_init(out, two, places, MPI_INT, in[11], two, places, MPI_INT, world, info,
	                   &request[11]);
	/* @* sent=16 request=11 persistent=1 */
	MPI_Alltoallw_init(out, two, bytes, types, in[12], two, bytes, types, world, info, &request[12]);
	/* @* sent=16 request=12 persistent=1 */
	MPI_Reduce_scatter_init(out, in[13], two, MPI_INT, MPI_SUM, world, info, &request[13]);
	/* @* op=3 sent=16 request=13 persistent=1 */
	MPI_Reduce_scatter_block_init(out, in[14], 3, MPI_INT, MPI_SUM, world, info, &request[14]);
	/* @* op=3 sent=24 request=14 persistent=1 */
	MPI_Scan_init(out, in[15], 2, MPI_INT, MPI_SUM, world, info, &request[15]);
	/* @* op=3 sent=8 request=15 persistent=1 */
	MPI_Exscan_init(out, in[16], 2, MPI_INT, MPI_SUM, world, info, &request[16]);
	/* @* op=3 sent=8 request=16 persistent=1 */
}

static void neighbours(MPI_Comm ring, MPI_Request *request)
{
	MPI_Datatype types[RANKS] = {MPI_INT, MPI_INT};
	MPI_Info info = MPI_INFO_NULL;

	MPI_Neighbor_allgather_init(out, 2, MPI_INT, in[0], 2, MPI_INT, ring, info, &request[0]);
	/* @* comm=$ring sent=8 request=0 persistent=1 */
	MPI_Neighbor_allgatherv_init(out, 2, MPI_INT, in[1], two, places, MPI_INT, ring, info, &request[1]);
	/* @* comm=$ring sent=8 request=1 persistent=1 */
	MPI_Neighbor_alltoall_init(out, 2, MPI_INT, in[2], 2, MPI_INT, ring, info, &request[2]);
	/* @* comm=$ring sent=16 request=2 persistent=1 */
	MPI_Neighbor_alltoallv_init(out, two, places, MPI_INT, in[3], two, places, MPI_INT, ring, info,
	                            &request[3]);
	/* @* comm=$ring sent=16 request=3 persistent=1 */
	MPI_Neighbor_alltoallw_init(out, two, far_bytes, types, in[4], two, far_bytes, types, ring, info,
	                            &request[4]);
	/* @* comm=$ring sent=16 request=4 persistent=1 */
}

static void use(int count, MPI_Request *request)
{
	for (int i = 0; i < 2; i++) {
		MPI_Startall(count, request);
		/* @* x2 count=17 request=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
		 * @* x2 count=5 request=0,1,2,3,4 */
		MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
		/* @* x4 dones=44 */
		checksum_add(in, sizeof(in[0]) * (size_t)(count < 15 ? count : 15));
	}
	for (int i = 0; i < count; i++)
		MPI_Request_free(&request[i]);
	/* @* x22 request=0..16 */
}

int main(int argc, char **argv)
{
	static const int size = RANKS, periodic = 1;
	MPI_Request request[CALLS];
	MPI_Comm ring;
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 32; i++)
		out[i] = i + 1;
	prepare_rooted(request);
	prepare_others(request);
	use(CALLS, request);
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
	/* @0 comm=$world newcomm=$ring member=1,1
	 * @1 comm=$world newcomm=$ring member=0,0 */
	neighbours(ring, request);
	use(NEIGHBOR_CALLS, request);
	MPI_Comm_free(&ring);
	/* @* comm=$ring */
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
