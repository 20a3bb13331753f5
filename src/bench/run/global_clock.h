/* One time for all processes of a communicator: that of its process 0. */
#ifndef TARRY_BENCH_RUN_GLOBAL_CLOCK_H
#define TARRY_BENCH_RUN_GLOBAL_CLOCK_H

#include "bench/run/clock_line.h"
#include "bench/run/timer.h"

#include <mpi.h>
#include <stdbool.h>

struct global_clock {
	const struct bench_timer *timer;
	struct timer_quality quality; /* of that timer; the worst of all processes */
	bool is_crowded;              /* processes share processors: who waits for a time lets others run */
	struct clock_fit line;        /* from its time to that of process 0 */
	double error_ns; /* estimated after synchronisation: the worst of all processes, the same in all */
	double round_trip_ns; /* the longest of the shortest round trips: half of it bounds the error */
	int64_t set_ns;       /* when it was synchronised, by the timer of this process, */
	int64_t cost_ns;      /* and how long that took */
	double drift;         /* the steepest line's slope; 0 if methods know none */
};

static inline int64_t global_time(const struct global_clock *clock, int64_t local)
{
	return clock_line_at(&clock->line, local);
}

static inline int64_t global_now(const struct global_clock *clock)
{
	return global_time(clock, clock->timer->now());
}

/* The local time at which the global one will be this. */
int64_t local_time(const struct global_clock *clock, int64_t global);

struct sync_method {
	const char *name;
	const char *help;
	bool finds_drift;
	/* Collective. Finds out the clock's line; it is the local time itself before. `patience`: a pair of processes
	 * stops asking when so many round trips in a row were no shorter than the shortest. */
	void (*run)(struct global_clock *clock, MPI_Comm comm, int patience);
};

extern const struct sync_method sync_linear, sync_ring, sync_tree;

/* NULL: the tree. */
enum status sync_find(const char *name, const struct sync_method **method) MUST_CHECK;

/* Collective. Sets all of `clock` but its timer and quality, which are given. */
void clock_synchronize(struct global_clock *clock, const struct sync_method *method, MPI_Comm comm,
                       int patience);

/* Collective: how far clocks are apart now, estimated by asking once more; the worst of all processes, in ns, the same in all. */
double clock_check(const struct global_clock *clock, MPI_Comm comm);

/* Collective, for processes of one machine: how far they really are apart, by the processor's counter, which they share. */
double clock_truth(const struct global_clock *clock, MPI_Comm comm);

#endif
