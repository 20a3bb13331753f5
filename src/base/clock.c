#include "base/clock.h"

enum { ATTEMPTS = 8, MEASURE_NS = 10 * 1000 * 1000 };

struct point {
	uint64_t tick;
	uint64_t ns;
};

uint64_t clock_system_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct point compare_closely(void)
{
	struct point best = {0};
	uint64_t best_width = UINT64_MAX;

	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t before = clock_ticks();
		uint64_t ns = clock_system_ns(CLOCK_MONOTONIC_RAW);
		uint64_t after = clock_ticks();

		if (after - before < best_width) {
			best_width = after - before;
			best = (struct point){before + best_width / 2, ns};
		}
	}
	return best;
}

static uint64_t measured_frequency(void)
{
	struct point first = compare_closely(), last;

	do
		last = compare_closely();
	while (last.ns - first.ns < MEASURE_NS);
	return (uint64_t)((double)(last.tick - first.tick) * 1e9 / (double)(last.ns - first.ns));
}

uint64_t clock_frequency(void)
{
	uint64_t stated = clock_stated_frequency();

	return stated ? stated : measured_frequency();
}
