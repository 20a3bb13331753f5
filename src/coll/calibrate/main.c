/* tarry-calibrate-<mpi>: measures the cost of a message inside a node and between nodes, and prints it in
 * the format of coll/choice/levels.h. `tarry coll calibrate` starts it. */
#include "coll/choice/levels.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Messages that yield the core while they wait. MPI libraries poll: if two processes share a core, or compete for it with other
 * programs, the answering process would wait for its next time slice, for milliseconds instead of the time of a message. */

/* A message inside a node arrives within a few polls; longer waits yield the core. */
enum { POLLS = 64 };

static void wait_for(MPI_Request *request)
{
	int is_over = 0;

	for (;;) {
		for (int i = 0; i < POLLS; i++) {
			MPI_Test(request, &is_over, MPI_STATUS_IGNORE);
			if (is_over)
				return;
		}
		sched_yield();
	}
}

static void message_send(const void *buffer, int bytes, int to, int tag, MPI_Comm comm)
{
	MPI_Request request;

	MPI_Isend(buffer, bytes, MPI_CHAR, to, tag, comm, &request);
	wait_for(&request);
}

static void message_receive(void *buffer, int bytes, int from, int tag, MPI_Comm comm)
{
	MPI_Request request;

	MPI_Irecv(buffer, bytes, MPI_CHAR, from, tag, comm, &request);
	wait_for(&request);
}

/* Latencies between nodes, from which topo/machine derives the tree of switches. */

enum { TAG = 1, WARM_UP = 3, ROUNDS = 10, NODES_MIN = 3, MACHINE_NODES_MAX = 32 };

/* One process of each node; the others get MPI_COMM_NULL. */
static MPI_Comm find_leaders(void)
{
	MPI_Comm node, leaders;
	int rank, number;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
	MPI_Comm_rank(node, &number);
	MPI_Comm_free(&node);
	MPI_Comm_split(MPI_COMM_WORLD, number ? MPI_UNDEFINED : 0, rank, &leaders);
	return leaders;
}

/* Half of the fastest round trip; longer ones are noise. */
static double ping(MPI_Comm leaders, int partner, int is_first)
{
	double fastest = 0;
	char byte = 0;

	for (int round = 0; round < WARM_UP + ROUNDS; round++) {
		double start = MPI_Wtime(), time;
		if (is_first)
			message_send(&byte, 1, partner, TAG, leaders);
		message_receive(&byte, 1, partner, TAG, leaders);
		time = (MPI_Wtime() - start) / 2;
		if (!is_first)
			message_send(&byte, 1, partner, TAG, leaders);
		if (round >= WARM_UP && (fastest <= 0 || time < fastest))
			fastest = time;
	}
	return fastest;
}

static int have_own_names(char (*names)[MPI_MAX_PROCESSOR_NAME], int count)
{
	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++)
			if (strcmp(names[i], names[j]) == 0)
				return 0;
	return 1;
}

static void write_links(FILE *file, char (*names)[MPI_MAX_PROCESSOR_NAME], const double *latencies, int count)
{
	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++)
			if (latencies[i * count + j] > 0)
				fprintf(file, "Link=%s,%s Latency=%.4g\n", names[j], names[i],
				        latencies[i * count + j]);
}

static void measure_leaders(MPI_Comm leaders, FILE *file)
{
	static char names[MACHINE_NODES_MAX][MPI_MAX_PROCESSOR_NAME];
	static double own[MACHINE_NODES_MAX * MACHINE_NODES_MAX], all[MACHINE_NODES_MAX * MACHINE_NODES_MAX];
	char name[MPI_MAX_PROCESSOR_NAME] = "";
	int rank, count, length;

	MPI_Comm_rank(leaders, &rank);
	MPI_Comm_size(leaders, &count);
	if (count < NODES_MIN || count > MACHINE_NODES_MAX)
		return;
	MPI_Get_processor_name(name, &length);
	MPI_Allgather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, leaders);
	if (!have_own_names(names, count))
		return;
	/* One pair at a time, so that pairs do not disturb each other. */
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < i; j++) {
			if (rank == i)
				own[i * count + j] = ping(leaders, j, 1);
			else if (rank == j)
				ping(leaders, i, 0);
			MPI_Barrier(leaders);
		}
	}
	MPI_Reduce(own, all, count * count, MPI_DOUBLE, MPI_MAX, 0, leaders);
	if (rank == 0)
		write_links(file, names, all, count);
}

enum { ROUNDS_MIN = 20, ROUNDS_MAX = 2000, LONG_BYTES = 1 << 20 };
static const double SECONDS = 0.5; /* per size */

/* The one-way time in seconds: half of the fastest of many round trips, because longer ones were
 * disturbed. Both processes call this; rank 0 decides when to stop. */
static double measure(char *buffer, int bytes, int rank, int partner)
{
	double fastest = 0, begin = MPI_Wtime();
	char go_on = 1;

	for (int round = 0; go_on; round++) {
		const double start = MPI_Wtime();
		if (rank == 0) {
			double time;
			message_send(buffer, bytes, partner, TAG, MPI_COMM_WORLD);
			message_receive(buffer, bytes, partner, TAG, MPI_COMM_WORLD);
			time = (MPI_Wtime() - start) / 2;
			if (round >= WARM_UP && (fastest <= 0 || time < fastest))
				fastest = time;
			go_on = round < ROUNDS_MAX && (round < ROUNDS_MIN || MPI_Wtime() - begin < SECONDS);
			message_send(&go_on, 1, partner, TAG, MPI_COMM_WORLD);
		} else {
			message_receive(buffer, bytes, 0, TAG, MPI_COMM_WORLD);
			message_send(buffer, bytes, 0, TAG, MPI_COMM_WORLD);
			message_receive(&go_on, 1, 0, TAG, MPI_COMM_WORLD);
		}
	}
	return fastest;
}

/* Rank 0 gets the result. */
static struct coll_level measure_level(char *buffer, int rank, int partner)
{
	const double brief = measure(buffer, 1, rank, partner),
		     long_s = measure(buffer, LONG_BYTES, rank, partner);

	/* If the long message is not slower, the latency was measured too high. */
	return (struct coll_level){brief < long_s ? brief : long_s,
	                           LONG_BYTES / (long_s > brief ? long_s - brief : long_s)};
}

/* The lowest rank except 0 for which `mine` holds; 0: none. */
static int find_partner(int rank, int is_one)
{
	int size = 0, mine, found = 0;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	mine = rank && is_one ? rank : size;
	MPI_Allreduce(&mine, &found, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return found == size ? 0 : found;
}

/* A barrier whose waiting processes sleep, to leave the cores to measuring processes. */
static void wait_for_all(void)
{
	const struct timespec step = {.tv_nsec = 1000000};
	MPI_Request request;
	int is_over = 0;

	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	for (;;) {
		MPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
		if (is_over)
			return;
		nanosleep(&step, NULL);
	}
}

int main(int argc, char **argv)
{
	struct coll_levels levels = COLL_LEVELS_DEFAULT;
	char *buffer = calloc(1, LONG_BYTES);
	int rank, near, partners[2];
	MPI_Comm node;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!buffer)
		MPI_Abort(MPI_COMM_WORLD, 1);
	/* This process is on the node of rank 0 if the lowest rank of its node is 0. */
	int lowest = rank;
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
	MPI_Bcast(&lowest, 1, MPI_INT, 0, node);
	MPI_Comm_free(&node);
	near = lowest == 0;
	partners[0] = find_partner(rank, near);
	partners[1] = find_partner(rank, !near);
	if (partners[0] && (rank == 0 || rank == partners[0]))
		levels.node = measure_level(buffer, rank, partners[0]);
	wait_for_all();
	if (partners[1] && (rank == 0 || rank == partners[1]))
		levels.network = measure_level(buffer, rank, partners[1]);
	wait_for_all();
	if (rank == 0 && (partners[0] || partners[1]))
		coll_levels_write(partners[0] ? &levels.node : NULL, partners[1] ? &levels.network : NULL,
		                  stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	/* Collective. Rank 0 writes a line per pair of nodes, "Link=n0,n1 Latency=1.5e-06". Writes nothing for
	 * fewer than three nodes, for too many, or if two nodes have the same name. */
	MPI_Comm leaders = find_leaders();
	if (leaders != MPI_COMM_NULL) {
		measure_leaders(leaders, stdout);
		MPI_Comm_free(&leaders);
	}
	free(buffer);
	MPI_Finalize();
	return 0;
}
