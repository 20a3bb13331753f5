#include "base/clock.h"

#include <time.h>

enum { ATTEMPTS = 8, MEASURE_NS = 10 * 1000 * 1000 };

static uint64_t ns_of(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct clock_point compare_with(clockid_t id)
{
	struct clock_point best = {0};
	uint64_t best_width = UINT64_MAX;

	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t before = clock_ticks();
		uint64_t ns = ns_of(id);
		uint64_t after = clock_ticks();

		if (after - before < best_width) {
			best_width = after - before;
			best = (struct clock_point){before + best_width / 2, ns};
		}
	}
	return best;
}

struct clock_point clock_compare(void)
{
	return compare_with(CLOCK_REALTIME);
}

static uint64_t measured_frequency(void)
{
	struct clock_point first = compare_with(CLOCK_MONOTONIC_RAW), last;

	do
		last = compare_with(CLOCK_MONOTONIC_RAW);
	while (last.realtime_ns - first.realtime_ns < MEASURE_NS);
	return (uint64_t)((double)(last.tick - first.tick) * 1e9 /
	                  (double)(last.realtime_ns - first.realtime_ns));
}

uint64_t clock_frequency(void)
{
	uint64_t stated = clock_stated_frequency();

	return stated ? stated : measured_frequency();
}
