#include "bench/run/global_clock.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/sort.h"
#include "bench/run/pair.h"
#include "statistics/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CHECKS = 7,     /* estimates per difference; their spread gives the error */
	CHECKS_MIN = 2, /* minimum number for a spread */
	CHECK_PATIENCE = 10,
	CHECK_LIMIT_NS = 100 * 1000 * 1000,
	TAG_OFFSET = 3,
	ATTEMPTS = 3,
};

/* Standard deviation of a value rounded down to whole steps, in steps: 1 / sqrt(12). */
static const double STEP_DEVIATION = 0.29;

int64_t local_time(const struct global_clock *clock, int64_t global)
{
	return clock_line_inverse(&clock->line, global);
}

enum status sync_find(const char *name, const struct sync_method **method)
{
	static const struct sync_method *const all[] = {&sync_tree, &sync_ring, &sync_linear};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!name || strcmp(name, all[i]->name) == 0) {
			*method = all[i];
			return OK;
		}
	return fail("unknown clock synchronisation '%s': take one of tree, ring, linear", name);
}

static void take_worst(struct global_clock *clock, MPI_Comm comm)
{
	double worst[] = {clock->round_trip_ns, fabs(clock->line.slope)};

	MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, comm);
	clock->round_trip_ns = worst[0];
	clock->drift = worst[1];
}

/* An error above the sum of all round trips to process 0 does not come from a clock: a process lost its
 * CPU during the comparison. */
static bool is_plausible(const struct global_clock *clock, MPI_Comm comm)
{
	int size, rounds = 1;

	MPI_Comm_size(comm, &size);
	for (int reach = 2; reach < size; reach *= 2)
		rounds++;
	return clock->error_ns <= rounds * clock->round_trip_ns + (double)clock->quality.resolution_ns;
}

static void synchronize_once(struct global_clock *clock, const struct sync_method *method, MPI_Comm comm,
                             int patience)
{
	clock->line = (struct clock_fit){0};
	clock->round_trip_ns = 0;
	method->run(clock, comm, patience);
	take_worst(clock, comm);
	clock->error_ns = clock_check(clock, comm);
	if (!is_plausible(clock, comm))
		clock->error_ns = fmin(clock->error_ns, clock_check(clock, comm));
}

void clock_synchronize(struct global_clock *clock, const struct sync_method *method, MPI_Comm comm,
                       int patience)
{
	int64_t begin = clock->timer->now();
	/* If processes share cores, another attempt is no better, and starts are not exact anyway. */
	int attempts = clock->is_crowded ? 1 : ATTEMPTS;

	/* Processes that do not measure may not know whether the machine is crowded. */
	MPI_Bcast(&attempts, 1, MPI_INT, 0, comm);
	do
		synchronize_once(clock, method, comm, patience);
	while (!is_plausible(clock, comm) && --attempts > 0);
	clock->set_ns = clock->timer->now();
	clock->cost_ns = clock->set_ns - begin;
}

/* The distance of a process from process 0, along the tree. */
struct global_offset {
	double middle;
	double doubt;
};

static size_t ask_again(const struct global_clock *clock, MPI_Comm comm, int server,
                        struct exchange exchanges[CHECKS])
{
	int64_t deadline = clock->timer->now() + CHECK_LIMIT_NS;
	size_t count = 0;

	do
		exchanges[count++] = pair_compare(clock->timer, comm, server, CHECK_PATIENCE);
	while (count < CHECKS && clock->timer->now() < deadline);
	pair_end(comm, server);
	return exchanges_keep_short(exchanges, count);
}

static struct global_offset ask_for_offset(const struct global_clock *clock, MPI_Comm comm, int server)
{
	struct exchange exchanges[CHECKS];
	double offsets[CHECKS];
	size_t count = ask_again(clock, comm, server, exchanges);

	for (size_t i = 0; i < count; i++) {
		int64_t own = exchange_middle(&exchanges[i]);
		offsets[i] = (double)(exchanges[i].answered - global_time(clock, own));
	}
	sort_doubles(offsets, count);
	return (struct global_offset){
		quantile(offsets, count, 0.5),
		count < CHECKS_MIN ? (double)round_trip(&exchanges[0]) / 2
				   : (quantile(offsets, count, 0.75) - quantile(offsets, count, 0.25)) / 2};
}

static struct global_offset learn_offset(const struct global_clock *clock, MPI_Comm comm, int server)
{
	struct global_offset own = ask_for_offset(clock, comm, server);
	double above[2];

	MPI_Recv(above, 2, MPI_DOUBLE, server, TAG_OFFSET, comm, MPI_STATUS_IGNORE);
	return (struct global_offset){own.middle + above[0], own.doubt + above[1]};
}

double clock_check(const struct global_clock *clock, MPI_Comm comm)
{
	struct global_offset offset = {0};
	double error;
	int rank, size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	for (int reach = 1; reach < size; reach *= 2) {
		int client = tree_client(rank, size, reach);

		if (tree_server(rank, reach) >= 0)
			offset = learn_offset(clock, comm, tree_server(rank, reach));
		if (client < 0)
			continue;
		pair_serve(clock, comm, client);
		MPI_Send((double[]){offset.middle, offset.doubt}, 2, MPI_DOUBLE, client, TAG_OFFSET, comm);
	}
	error = fabs(offset.middle) +
	        fmax(offset.doubt, STEP_DEVIATION * (double)clock->quality.resolution_ns);
	MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
	return error;
}
