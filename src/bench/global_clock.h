/* One time for all processes of a communicator: that of its process 0. */
#ifndef TARRY_BENCH_GLOBAL_CLOCK_H
#define TARRY_BENCH_GLOBAL_CLOCK_H

#include "bench/timer.h"

#include <mpi.h>

struct global_clock {
	const struct timer *timer;
	/* global = local + offset + slope * (local - since) */
	int64_t since;
	double offset;
	double slope;
	double error_ns; /* estimated after synchronisation: the worst of all processes, the same in all */
};

static inline int64_t global_time(const struct global_clock *clock, int64_t local)
{
	return local + (int64_t)(clock->offset + clock->slope * (double)(local - clock->since));
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
	void (*run)(struct global_clock *clock, MPI_Comm comm, int patience);
};

extern const struct sync_method sync_methods[]; /* linear, ring, tree; ends with an entry without a name */

enum status sync_find(const char *name, const struct sync_method **method) MUST_CHECK;

/* Collective. Sets all of `clock` but its timer, which is given. */
void clock_synchronize(struct global_clock *clock, const struct sync_method *method, MPI_Comm comm,
                       int patience);

/* Collective: how far clocks are apart now, estimated by asking once more; the worst of all processes, in ns, the same in all. */
double clock_check(const struct global_clock *clock, MPI_Comm comm);

#endif
