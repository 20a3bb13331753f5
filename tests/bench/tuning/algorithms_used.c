/* Tells by which algorithm the MPI library does a broadcast, and a gathering to all, with all processes and with all but one:
 *
 *	bcast 4 1024 binomial
 *
 * Open MPI's component calls its algorithms as functions of another library, so that those defined here come in between. MPICH's are not
 * to be seen from outside, but the messages are that it hands to UCX: their number is told instead. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *used = "none";

/* However many parameters the function has, they are handed on. */
typedef long handed_on(long, long, long, long, long, long, long, long, long, long);

#define ALGORITHM(collective, algorithm) \
	handed_on ompi_coll_base_##collective##_intra_##algorithm; \
	long ompi_coll_base_##collective##_intra_##algorithm(long a, long b, long c, long d, long e, long f, \
	                                                     long g, long h, long i, long j) \
	{ \
		static handed_on *own; \
		if (!own) \
			own = (handed_on *)dlsym(RTLD_NEXT, \
			                         "ompi_coll_base_" #collective "_intra_" #algorithm); \
		used = #algorithm; \
		return own(a, b, c, d, e, f, g, h, i, j); \
	}

ALGORITHM(bcast, basic_linear)
ALGORITHM(bcast, binomial)
ALGORITHM(bcast, bintree)
ALGORITHM(bcast, chain)
ALGORITHM(bcast, knomial)
ALGORITHM(bcast, pipeline)
ALGORITHM(bcast, scatter_allgather)
ALGORITHM(bcast, scatter_allgather_ring)
ALGORITHM(bcast, split_bintree)
ALGORITHM(allgather, basic_linear)
ALGORITHM(allgather, bruck)
ALGORITHM(allgather, neighborexchange)
ALGORITHM(allgather, recursivedoubling)
ALGORITHM(allgather, ring)

static long messages;

handed_on ucp_tag_send_nbx;
long ucp_tag_send_nbx(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j)
{
	static handed_on *own;

	if (!own)
		own = (handed_on *)dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
	messages++;
	return own(a, b, c, d, e, f, g, h, i, j);
}

static char send_buffer[1 << 20], receive_buffer[1 << 20];

static void bcast(MPI_Comm comm, int bytes)
{
	MPI_Bcast(send_buffer, bytes, MPI_BYTE, 0, comm);
}

static void allgather(MPI_Comm comm, int bytes)
{
	MPI_Allgather(send_buffer, bytes, MPI_BYTE, receive_buffer, bytes, MPI_BYTE, comm);
}

static void look_at(const char *name, void (*run)(MPI_Comm, int), MPI_Comm comm, int bytes)
{
	int rank, ranks;
	long before, sent, all;

	MPI_Barrier(comm);
	used = "none";
	before = messages;
	run(comm, bytes);
	sent = messages - before;
	const char *algorithm = used;
	MPI_Reduce(&sent, &all, 1, MPI_LONG, MPI_SUM, 0, comm);
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &ranks);
	if (rank == 0 && all)
		printf("%s %d %d %ld\n", name, ranks, bytes, all);
	else if (rank == 0)
		printf("%s %d %d %s\n", name, ranks, bytes, algorithm);
}

int main(int argc, char **argv)
{
	MPI_Comm fewer;
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_split(MPI_COMM_WORLD, rank < ranks - 1 ? 0 : MPI_UNDEFINED, rank, &fewer);
	for (int i = 1; i < argc; i++) {
		look_at("bcast", bcast, MPI_COMM_WORLD, atoi(argv[i]));
		look_at("allgather", allgather, MPI_COMM_WORLD, atoi(argv[i]));
		if (fewer == MPI_COMM_NULL)
			continue;
		look_at("bcast", bcast, fewer, atoi(argv[i]));
		look_at("allgather", allgather, fewer, atoi(argv[i]));
	}
	MPI_Finalize();
	return 0;
}
