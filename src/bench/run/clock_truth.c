/* The true difference of clocks on machines where all processes share a counter: for tests of
 * synchronisation. */
#include "base/clock.h"
#include "bench/run/global_clock.h"

#include <math.h>

enum { ATTEMPTS = 32, HEAD_START = 1000 }; /* HEAD_START: fraction of a second */

/* Global time at a value of the counter. */
static int64_t time_at(const struct global_clock *clock, uint64_t moment, double tick_ns)
{
	uint64_t narrowest = UINT64_MAX;
	int64_t first = 0;
	double found = 0;

	while (clock_ticks() < moment)
		;
	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t before = clock_ticks();
		int64_t reading = global_now(clock);
		uint64_t width = clock_ticks() - before;

		if (i == 0)
			first = reading;
		if (width >= narrowest)
			continue;
		narrowest = width;
		found = (double)(reading - first) - ((double)(before - moment) + (double)width / 2) * tick_ns;
	}
	return first + llround(found);
}

double clock_truth(const struct global_clock *clock, MPI_Comm comm)
{
	double tick_ns = 1e9 / (double)clock_frequency(), error;
	uint64_t moment = clock_ticks() + clock_frequency() / HEAD_START;
	int64_t own, reference;

	MPI_Bcast(&moment, 1, MPI_UINT64_T, 0, comm);
	own = time_at(clock, moment, tick_ns);
	reference = own;
	MPI_Bcast(&reference, 1, MPI_INT64_T, 0, comm);
	error = fabs((double)(own - reference));
	MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
	return error;
}
