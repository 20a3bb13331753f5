#include "base/memory.h"
#include "bench/run/pair.h"

#include <stdlib.h>
#include <time.h>

/* linear: one process after another compares its clock with that of process 0: O(n) */

enum { LIMIT_NS = 1000 * 1000 * 1000 };

static void learn(struct global_clock *clock, MPI_Comm comm, int patience)
{
	struct exchange best = pair_ask(clock->timer, comm, 0, patience, LIMIT_NS);

	pair_end(comm, 0);
	clock->line = (struct clock_fit){best.sent, exchange_offset(&best), 0};
	clock->round_trip_ns = (double)round_trip(&best);
}

static void run_linear(struct global_clock *clock, MPI_Comm comm, int patience)
{
	int rank, size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int client = 1; client < size; client++)
		if (rank == 0)
			pair_serve(clock, comm, client);
		else if (rank == client)
			learn(clock, comm, patience);
}

const struct sync_method sync_linear = {"linear", "each process in turn asks process 0; without drift", false,
                                        run_linear};

/* ring: each process compares its clock with its lower neighbour's, process 0 adds up: O(log n), but
 * errors add up too */

struct ring {
	int rank, size;
	MPI_Comm comm;
	int patience;
};

static int64_t ask_below(struct global_clock *clock, const struct ring *ring)
{
	struct exchange best = pair_ask(clock->timer, ring->comm, ring->rank - 1, ring->patience, LIMIT_NS);

	pair_end(ring->comm, ring->rank - 1);
	clock->round_trip_ns = (double)round_trip(&best);
	return exchange_offset(&best);
}

/* First odd processes ask, then even ones, so that no process does both at once. */
static int64_t compare_neighbours(struct global_clock *clock, const struct ring *ring)
{
	int64_t offset = 0;

	for (int odd = 1; odd >= 0; odd--)
		if (ring->rank % 2 != odd && ring->rank + 1 < ring->size)
			pair_serve(clock, ring->comm, ring->rank + 1);
		else if (ring->rank % 2 == odd && ring->rank > 0)
			offset = ask_below(clock, ring);
	return offset;
}

static void sum_up(int64_t *offsets, int count)
{
	for (int i = 1; i < count; i++)
		offsets[i] += offsets[i - 1];
}

static void run_ring(struct global_clock *clock, MPI_Comm comm, int patience)
{
	struct ring ring = {.comm = comm, .patience = patience};
	int64_t offset, *offsets = NULL;

	MPI_Comm_rank(comm, &ring.rank);
	MPI_Comm_size(comm, &ring.size);
	offset = compare_neighbours(clock, &ring);
	if (ring.rank == 0)
		offsets = memory_new((size_t)ring.size, sizeof *offsets);
	MPI_Gather(&offset, 1, MPI_INT64_T, offsets, 1, MPI_INT64_T, 0, comm);
	if (ring.rank == 0)
		sum_up(offsets, ring.size);
	MPI_Scatter(offsets, 1, MPI_INT64_T, &offset, 1, MPI_INT64_T, 0, comm);
	free(offsets);
	clock->line = (struct clock_fit){clock->timer->now(), offset, 0};
}

const struct sync_method sync_ring = {"ring", "neighbours ask each other, process 0 adds up; without drift",
                                      false, run_ring};

/* tree: in each of log2(n) rounds, processes with the global time are masters of as many others. A client
 * asks repeatedly for some time and fits a line to the answers: offset and drift. */

enum {
	POINTS = 50,                /* of a line, if they are enough */
	POINTS_MAX = 250,           /* otherwise */
	PAUSE_NS = 4 * 1000 * 1000, /* between points: a line takes 0.2 to 1 s */
	PATIENCE_SHARE = 5,         /* one of many points needs less patience than a single one */
	TOTAL_LIMIT_NS = 2000 * 1000 * 1000,
};

/* Required accuracy of the drift: clocks diverge by 0.1 us per second. */
static const double GOOD_ENOUGH = 1e-7;

/* The client's state. */
struct client {
	struct global_clock *clock;
	MPI_Comm comm;
	int server;
	int patience;
	struct exchange points[POINTS_MAX];
	size_t count;
	double slope_error;
};

static void pause_asking(void)
{
	nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

static void ask_often(struct client *client, int64_t deadline)
{
	const struct bench_timer *timer = client->clock->timer;

	for (int i = 0; i < POINTS && (client->count < 3 || timer->now() < deadline); i++) {
		client->points[client->count++] = pair_compare(timer, client->comm, client->server,
		                                               client->patience);
		pause_asking();
	}
}

static void learn_line(struct client *client)
{
	struct global_clock *clock = client->clock;
	int64_t deadline = clock->timer->now() + TOTAL_LIMIT_NS;
	int64_t shortest = INT64_MAX;

	do {
		ask_often(client, deadline);
		clock->line = clock_line_fit(client->points, client->count, clock->quality.resolution_ns,
		                             &client->slope_error);
	} while (client->slope_error > GOOD_ENOUGH && client->count < POINTS_MAX &&
	         clock->timer->now() < deadline);
	pair_end(client->comm, client->server);
	for (size_t i = 0; i < client->count; i++)
		if (round_trip(&client->points[i]) < shortest)
			shortest = round_trip(&client->points[i]);
	clock->round_trip_ns = (double)shortest;
}

static void run_tree(struct global_clock *clock, MPI_Comm comm, int patience)
{
	int rank, size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int reach = 1; reach < size; reach *= 2)
		if (tree_server(rank, reach) >= 0)
			learn_line(&(struct client){.clock = clock,
			                            .comm = comm,
			                            .server = tree_server(rank, reach),
			                            .patience = patience / PATIENCE_SHARE + 1});
		else if (tree_client(rank, size, reach) >= 0)
			pair_serve(clock, comm, tree_client(rank, size, reach));
}

const struct sync_method sync_tree = {"tree", "in log2(n) rounds, with the drift of each clock", true,
                                      run_tree};
