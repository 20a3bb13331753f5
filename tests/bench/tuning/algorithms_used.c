/* Prints the algorithm that the MPI library uses for broadcasts, allgathers and others, with all processes and with all but one:
 *
 *	bcast 4 1024 binomial
 *	scatter 4 1024 several		processes do not agree
 *
 * Open MPI's component calls its algorithms as functions of another library, so the functions defined here intercept them. MPICH's
 * algorithms are not visible from outside, but its calls of UCX are: the program prints their number instead. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
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

/* Which one was chosen is enough: processes that chose different ones would wait for each other, or get wrong results. */
#define NOT_RUN(collective, algorithm) \
	handed_on ompi_coll_base_##collective##_intra_##algorithm; \
	long ompi_coll_base_##collective##_intra_##algorithm(long a, long b, long c, long d, long e, long f, \
	                                                     long g, long h, long i, long j) \
	{ \
		(void)(a + b + c + d + e + f + g + h + i + j); \
		used = #algorithm; \
		return MPI_SUCCESS; \
	}

NOT_RUN(gather, basic_linear)
NOT_RUN(gather, binomial)
NOT_RUN(gather, linear_sync)
NOT_RUN(scatter, basic_linear)
NOT_RUN(scatter, binomial)
NOT_RUN(scatter, linear_nb)

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

#ifdef OPEN_MPI
static int rank_in(MPI_Comm comm)
{
	int rank;

	MPI_Comm_rank(comm, &rank);
	return rank;
}

/* The send buffer has no meaning in the root, and the receive buffer only there. */
static void gather(MPI_Comm comm, int bytes)
{
	bool is_root = rank_in(comm) == 0;

	MPI_Gather(is_root ? MPI_IN_PLACE : send_buffer, is_root ? 0 : bytes, MPI_BYTE, receive_buffer,
	           is_root ? bytes : 0, MPI_BYTE, 0, comm);
}

/* The send buffer has a meaning only in the root. */
static void scatter(MPI_Comm comm, int bytes)
{
	MPI_Scatter(send_buffer, rank_in(comm) == 0 ? bytes : 0, MPI_BYTE, receive_buffer, bytes, MPI_BYTE, 0,
	            comm);
}
#endif

static long number_of(const char *name)
{
	long number = 0;

	while (*name)
		number = number * 31 + *name++;
	return number;
}

static bool is_the_same_everywhere(const char *name, MPI_Comm comm)
{
	long number = number_of(name), least, most;

	MPI_Allreduce(&number, &least, 1, MPI_LONG, MPI_MIN, comm);
	MPI_Allreduce(&number, &most, 1, MPI_LONG, MPI_MAX, comm);
	return least == most;
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
	if (!is_the_same_everywhere(algorithm, comm))
		algorithm = "several";
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
#ifdef OPEN_MPI
		look_at("gather", gather, MPI_COMM_WORLD, atoi(argv[i]));
		look_at("scatter", scatter, MPI_COMM_WORLD, atoi(argv[i]));
#endif
		if (fewer == MPI_COMM_NULL)
			continue;
		look_at("bcast", bcast, fewer, atoi(argv[i]));
		look_at("allgather", allgather, fewer, atoi(argv[i]));
	}
	MPI_Finalize();
	return 0;
}
