/* tarry-test: ranks=3
 *
 * Every blocking collective once, with counts that differ from rank to rank where the call allows it. In
 * what follows `sent` is what this process hands over, `received` what it gets. */
#include "checksum.h"

#include <mpi.h>

enum { RANKS = 3 };

static int out[32], in[32];
static int rank;

/* Rank r contributes r + 1 integers to the v calls. */
static const int counts[RANKS] = {1, 2, 3};
static const int places[RANKS] = {0, 4, 8};

static void rooted(void)
{
	MPI_Bcast(out, 4, MPI_INT, 1, MPI_COMM_WORLD);
	/* @1 comm=$world root=1 sent=16 size=4
	 * @0,2 comm=$world root=1 received=16 size=4 */
	MPI_Gather(out, 2, MPI_INT, in, 2, MPI_INT, 2, MPI_COMM_WORLD);
	/* @0,1 root=2 sent=8 received=0
	 * @2 root=2 sent=8 received=24 */
	MPI_Gatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
	/* @0 root=0 sent=4 received=24
	 * @1 root=0 sent=8
	 * @2 root=0 sent=12 */
	MPI_Scatter(out, 2, MPI_INT, in, 2, MPI_INT, 1, MPI_COMM_WORLD);
	/* @0,2 root=1 received=8
	 * @1 root=1 sent=24 received=8 */
	MPI_Scatterv(out, counts, places, MPI_INT, in, counts[rank], MPI_INT, 0, MPI_COMM_WORLD);
	/* @0 root=0 sent=24 received=4
	 * @1 root=0 received=8
	 * @2 root=0 received=12 */
	MPI_Reduce(out, in, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	/* @0 root=0 op=3 sent=12 received=12
	 * @1,2 root=0 op=3 sent=12 */
	checksum_add(in, sizeof(in));
}

static void everyone(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	/* @* comm=$world */
	MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
	/* @* sent=4 received=12 */
	MPI_Allgatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
	/* @0 sent=4 received=24
	 * @1 sent=8 received=24
	 * @2 sent=12 received=24 */
	MPI_Allreduce(out, in, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	/* @* op=1 sent=16 received=16 size=8 */
	MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
	/* @* sent=12 received=12 */
	MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	/* @0 op=2 sent=24 received=4
	 * @1 op=2 sent=24 received=8
	 * @2 op=2 sent=24 received=12 */
	MPI_Reduce_scatter_block(out, in, 2, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
	/* @* op=4 sent=24 received=8 */
	MPI_Scan(out, in, 2, MPI_INT, MPI_BXOR, MPI_COMM_WORLD);
	/* @* op=10 sent=8 received=8 */
	MPI_Exscan(out, in, 2, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	/* @* op=5 sent=8 */
	checksum_add(in, sizeof(in));
}

static void every_pair(void)
{
	static const int one[RANKS] = {1, 1, 1};
	static const int at[RANKS] = {0, 1, 2};
	static const int bytes[RANKS] = {0, 4, 8};
	MPI_Datatype types[RANKS] = {MPI_INT, MPI_INT, MPI_INT};

	MPI_Alltoallv(out, one, at, MPI_INT, in, one, at, MPI_INT, MPI_COMM_WORLD);
	/* @* sent=12 received=12 */
	MPI_Alltoallw(out, one, bytes, types, in, one, bytes, types, MPI_COMM_WORLD);
	/* @* sent=12 received=12 */
	checksum_add(in, sizeof(in));
}

static void in_place(void)
{
	MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	/* @* op=3 in_place=1 sent=8 received=8 */
	MPI_Reduce(rank == 1 ? MPI_IN_PLACE : out, in, 2, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
	/* @1 root=1 in_place=1
	 * @0,2 root=1 sent=8 !in_place */
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, MPI_COMM_WORLD);
	/* @* in_place=1 sent=8 received=24 */
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, MPI_COMM_WORLD);
	/* @* in_place=1 sent=24 received=24 */
	MPI_Scatter(out, 2, MPI_INT, rank == 0 ? MPI_IN_PLACE : in, 2, MPI_INT, 0, MPI_COMM_WORLD);
	/* @0 root=0 in_place=1 sent=24
	 * @1,2 root=0 received=8 !in_place */
	MPI_Scan(MPI_IN_PLACE, in, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	/* @* in_place=1 op=1 */
	checksum_add(in, sizeof(in));
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 32; i++)
		out[i] = rank * 100 + i;
	rooted();
	everyone();
	every_pair();
	in_place();
	checksum_print(rank);
	MPI_Finalize();
	/* @* */
	return 0;
}
/* @comm $world size=3 kind=intra members=0,1,2 */
