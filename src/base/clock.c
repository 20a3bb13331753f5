#include "base/clock.h"

enum { ATTEMPTS = 16, MEASURE_NS = 10 * 1000 * 1000, NS_PER_SECOND = 1000 * 1000 * 1000 };

/* A measurement of 10 ms is ten times as exact as this part of a frequency, if the process loses its processor meanwhile, too: only readings that
 * lie close together count. */
enum { DIFFERENT = 1000 };

/* More than any counter does in MEASURE_NS. */
#define MEASURE_TICKS_MAX ((uint64_t)1 << 32)

uint64_t clock_system_ns(clockid_t id)
{
	struct timespec now = {0};

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

struct clock_moment clock_compare(uint64_t (*around)(void), uint64_t (*between)(void))
{
	struct clock_moment best = {.width = UINT64_MAX};

	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t before = around();
		uint64_t reading = between();
		uint64_t after = around();

		if (after - before < best.width)
			best = (struct clock_moment){before + (after - before) / 2, reading, after - before};
	}
	return best;
}

static uint64_t read_counter(void)
{
	return clock_ticks();
}

static uint64_t read_raw_ns(void)
{
	return clock_system_ns(CLOCK_MONOTONIC_RAW);
}

/* Where the system's clock does not move, a tick counts as a nanosecond: whoever waits for it would wait for ever. */
static uint64_t measured_frequency(void)
{
	struct clock_moment first = clock_compare(read_counter, read_raw_ns), last = first;

	while (last.between - first.between < MEASURE_NS && last.around - first.around < MEASURE_TICKS_MAX)
		last = clock_compare(read_counter, read_raw_ns);
	if (last.between - first.between < MEASURE_NS)
		return NS_PER_SECOND;
	return (uint64_t)((double)(last.around - first.around) * NS_PER_SECOND /
	                  (double)(last.between - first.between));
}

uint64_t clock_believed(uint64_t stated, uint64_t measured)
{
	const uint64_t differs = stated > measured ? stated - measured : measured - stated;

	return stated && differs <= measured / DIFFERENT ? stated : measured;
}

uint32_t clock_spare_bits(uint64_t frequency)
{
	const uint64_t most = 1020000000; /* no usual frequency is a multiple: all processes have to agree */
	uint32_t bits = 0;

	while (frequency >> bits > most)
		bits++;
	return bits;
}

uint64_t clock_frequency(void)
{
	uint64_t stated = clock_stated_frequency();

	return stated && CLOCK_STATES_TRUTH ? stated : clock_believed(stated, measured_frequency());
}
