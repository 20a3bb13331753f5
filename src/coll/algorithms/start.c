#include "coll/algorithms/start.h"

#include "coll/algorithms/frame.h"

#include <math.h>
#include <sched.h>
#include <time.h>

/* Round trips per comparison; the fastest one counts. */
enum { ROUND_TRIPS = 6 };
/* Clocks of two nodes may drift by some 10 µs per second. */
static const double COMPARED_FOR_S = 5;
/* RESERVE: how far ahead a start is set, as a multiple of the time that members recently needed to learn of
 * one. FORGETTING: a disturbed value is forgotten gradually. */
static const double RESERVE = 1.25, FORGETTING = 0.8, LEARNING_MAX_S = 0.1;

double coll_clock_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int tell_time(const struct coll_comm *c, const struct coll_start *start, int rank)
{
	for (int i = 0; i < ROUND_TRIPS; i++) {
		COLL_TRY(PMPI_Recv(NULL, 0, MPI_BYTE, rank, COLL_TAG_UP, c->comm, MPI_STATUS_IGNORE));
		const double now_s = coll_clock_s() + start->ahead_s;
		COLL_TRY(PMPI_Send(&now_s, 1, MPI_DOUBLE, rank, COLL_TAG_DOWN, c->comm));
	}
	return MPI_SUCCESS;
}

static int ask_time(const struct coll_comm *c, struct coll_start *start, int rank)
{
	double least_s = INFINITY;

	for (int i = 0; i < ROUND_TRIPS; i++) {
		const double asked_s = coll_clock_s();
		double peer_s;
		COLL_TRY(PMPI_Send(NULL, 0, MPI_BYTE, rank, COLL_TAG_UP, c->comm));
		COLL_TRY(PMPI_Recv(&peer_s, 1, MPI_DOUBLE, rank, COLL_TAG_DOWN, c->comm, MPI_STATUS_IGNORE));
		const double trip_s = coll_clock_s() - asked_s;
		if (trip_s < least_s) {
			least_s = trip_s;
			start->ahead_s = peer_s - (asked_s + trip_s / 2);
		}
	}
	return MPI_SUCCESS;
}

/* Maxima over all members: of their arrivals, and of the time that they needed to learn of the last start. */
struct start_arrival {
	double last_s, learning_s;
};

static int meet(const struct coll_comm *c, struct coll_start *start, struct start_arrival *all)
{
	const struct start_arrival mine = {coll_clock_s() + start->ahead_s, start->learning_s};

	COLL_TRY(PMPI_Allreduce(&mine, all, 2, MPI_DOUBLE, MPI_MAX, c->comm));
	start->learning_s = fmax(coll_clock_s() + start->ahead_s - all->last_s, FORGETTING * all->learning_s);
	start->learning_s = fmin(start->learning_s, LEARNING_MAX_S);
	return MPI_SUCCESS;
}

static int agree_on_moment(const struct coll_comm *c, struct coll_start *start, double *moment_s)
{
	struct start_arrival all;

	COLL_TRY(meet(c, start, &all));
	if (!start->is_compared || all.last_s > start->compared_s + COMPARED_FOR_S) {
		/* A tree over nodes: in each step, nodes that know the time pass it on by their first processes.
		 * Processes of a node share a clock. */
		const int me = c->my_node, nodes = c->layout.nodes;
		start->ahead_s = 0;
		for (int knowing = 1; knowing < nodes && c->my_index == 0; knowing *= 2) {
			if (me < knowing && me + knowing < nodes)
				COLL_TRY(tell_time(c, start, layout_rank(&c->layout, me + knowing, 0)));
			else if (me >= knowing && me < 2 * knowing)
				COLL_TRY(ask_time(c, start, layout_rank(&c->layout, me - knowing, 0)));
		}
		COLL_TRY(PMPI_Bcast(&start->ahead_s, 1, MPI_DOUBLE, 0, c->node));
		start->learning_s = 0;
		COLL_TRY(meet(c, start, &all));
		start->compared_s = all.last_s;
		start->is_compared = true;
		COLL_TRY(meet(c, start, &all));
	}
	*moment_s = all.last_s + RESERVE * all.learning_s;
	return MPI_SUCCESS;
}

double coll_start_together(const struct coll_comm *c, struct coll_start *start)
{
	double moment_s;

	if (agree_on_moment(c, start, &moment_s) != MPI_SUCCESS)
		return coll_clock_s();
	while (coll_clock_s() + start->ahead_s < moment_s)
		sched_yield();
	return moment_s - start->ahead_s;
}
