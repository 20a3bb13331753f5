/* tarry-test: ranks=2
 *
 * Every non-blocking collective once; all complete in one MPI_Waitall, so that each request has its own
 * number. */
#include "checksum.h"

#include <mpi.h>

enum { RANKS = 2, CALLS = 17 };

static int out[32], in[CALLS][32];
static const int counts[RANKS] = {1, 2};
static const int places[RANKS] = {0, 4};
static const int bytes[RANKS] = {0, 16};

static void rooted(int rank, MPI_Request *request)
{
	MPI_Ibcast(in[0], 4, MPI_INT, 1, MPI_COMM_WORLD, request++);
	/* @0 comm=$world root=1 request=0 size=4
	 * @1 comm=$world root=1 sent=16 request=0 */
	MPI_Igather(out, 2, MPI_INT, in[1], 2, MPI_INT, 1, MPI_COMM_WORLD, request++);
	/* @0 root=1 sent=8 request=1
	 * @1 root=1 sent=8 request=1 */
	MPI_Igatherv(out, counts[rank], MPI_INT, in[2], counts, places, MPI_INT, 0, MPI_COMM_WORLD,
	             request++);
	/* @0 root=0 sent=4 request=2
	 * @1 root=0 sent=8 request=2 */
	MPI_Iscatter(out, 2, MPI_INT, in[3], 2, MPI_INT, 0, MPI_COMM_WORLD, request++);
	/* @0 root=0 sent=16 request=3
	 * @1 root=0 request=3 */
	MPI_Iscatterv(out, counts, places, MPI_INT, in[4], counts[rank], MPI_INT, 0, MPI_COMM_WORLD,
	              request++);
	/* @0 root=0 sent=12 request=4
	 * @1 root=0 request=4 */
	MPI_Ireduce(out, in[5], 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, request++);
	/* @* root=0 op=3 sent=12 request=5 */
}

static void everyone(int rank, MPI_Request *request)
{
	MPI_Ibarrier(MPI_COMM_WORLD, request++);
	/* @* comm=$world request=6 */
	MPI_Iallgather(out, 1, MPI_INT, in[7], 1, MPI_INT, MPI_COMM_WORLD, request++);
	/* @* sent=4 request=7 */
	MPI_Iallgatherv(out, counts[rank], MPI_INT, in[8], counts, places, MPI_INT, MPI_COMM_WORLD,
	                request++);
	/* @0 sent=4 request=8
	 * @1 sent=8 request=8 */
	MPI_Iallreduce(MPI_IN_PLACE, in[9], 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, request++);
	/* @* op=1 in_place=1 request=9 size=8 */
	MPI_Ialltoall(out, 1, MPI_INT, in[10], 1, MPI_INT, MPI_COMM_WORLD, request++);
	/* @* sent=8 request=10 */
	MPI_Ireduce_scatter(out, in[11], counts, MPI_INT, MPI_MIN, MPI_COMM_WORLD, request++);
	/* @* op=2 sent=12 request=11 */
	MPI_Ireduce_scatter_block(out, in[12], 2, MPI_INT, MPI_PROD, MPI_COMM_WORLD, request++);
	/* @* op=4 sent=16 request=12 */
	MPI_Iscan(out, in[13], 2, MPI_INT, MPI_BXOR, MPI_COMM_WORLD, request++);
	/* @* op=10 sent=8 request=13 */
	MPI_Iexscan(out, in[14], 2, MPI_INT, MPI_LAND, MPI_COMM_WORLD, request++);
	/* @* op=5 sent=8 request=14 */
}

static void every_pair(MPI_Request *request)
{
	static const int two[RANKS] = {2, 2};
	MPI_Datatype types[RANKS] = {MPI_INT, MPI_INT};

	MPI_Ialltoallv(out, two, places, MPI_INT, in[15], two, places, MPI_INT, MPI_COMM_WORLD, &request[0]);
	/* @* sent=16 request=15 */
	MPI_Ialltoallw(out, two, bytes, types, in[16], two, bytes, types, MPI_COMM_WORLD, &request[1]);
	/* @* sent=16 request=16 */
}

int main(int argc, char **argv)
{
	MPI_Request request[CALLS];
	int rank;

	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 32; i++)
		out[i] = i + 1;
	rooted(rank, request);
	everyone(rank, request + 6);
	MPI_Waitall(CALLS - 2, request, MPI_STATUSES_IGNORE);
	/* @* count=15 dones=15 done=* */
	checksum_add(in, sizeof(in[0]) * 14);
	for (int i = 0; i < CALLS - 2; i++)
		MPI_Ibarrier(MPI_COMM_WORLD, &request[i]);
	/* @* x15 comm=$world request=0..14 */
	every_pair(request + CALLS - 2);
	MPI_Waitall(CALLS, request, MPI_STATUSES_IGNORE);
	/* @* count=17 dones=17 done=* */
	checksum_add(in, sizeof(in[0]) * 14);
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
