/* A common time for all processes of a communicator: that of its process 0. */
#ifndef TARRY_BENCH_RUN_GLOBAL_CLOCK_H
#define TARRY_BENCH_RUN_GLOBAL_CLOCK_H

#include "bench/run/clock_line.h"
#include "bench/run/timer.h"

#include <mpi.h>
#include <stdbool.h>

struct global_clock {
	const struct bench_timer *timer;
	struct timer_quality quality; /* of the timer: the worst of all processes */
	bool is_crowded;              /* processes share cores: waiting processes yield */
	struct clock_fit line;        /* from local time to that of process 0 */
	double error_ns;              /* estimated after synchronisation: the maximum of all processes */
	double round_trip_ns;         /* maximum of the shortest round trips: half of it bounds the error */
	int64_t set_ns;               /* local time of the synchronisation */
	int64_t cost_ns;              /* and its duration */
	double drift;                 /* the steepest slope; 0 if the method finds none */
};

static inline int64_t global_time(const struct global_clock *clock, int64_t local)
{
	return clock_line_at(&clock->line, local);
}

static inline int64_t global_now(const struct global_clock *clock)
{
	return global_time(clock, clock->timer->now());
}

/* The local time at which the global time has a given value. */
int64_t local_time(const struct global_clock *clock, int64_t global);

struct sync_method {
	const char *name;
	const char *help;
	bool finds_drift;
	/* Collective. Determines the line; until then global time is local time. `patience`: a pair stops
	 * after this many consecutive round trips that were not shorter than the shortest. */
	void (*run)(struct global_clock *clock, MPI_Comm comm, int patience);
};

extern const struct sync_method sync_linear, sync_ring, sync_tree;

/* NULL: the tree. */
enum status sync_find(const char *name, const struct sync_method **method) MUST_CHECK;

/* Collective. Sets all of `clock` except its timer and quality. */
void clock_synchronize(struct global_clock *clock, const struct sync_method *method, MPI_Comm comm,
                       int patience);

/* Collective: the current clock error in ns, estimated by new comparisons; the maximum of all processes. */
double clock_check(const struct global_clock *clock, MPI_Comm comm);

/* Collective, for one machine: the true clock error, by the CPU counter that processes share. */
double clock_truth(const struct global_clock *clock, MPI_Comm comm);

#endif
