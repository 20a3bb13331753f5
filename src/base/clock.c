#include "base/clock.h"

#include <stdbool.h>

enum { ATTEMPTS = 16, MEASURE_NS = 10 * 1000 * 1000, NS_PER_SECOND = 1000 * 1000 * 1000 };

/* Frequencies that differ by more than this fraction are different. A measurement of 10 ms is ten times as
 * accurate, even if the process loses its CPU meanwhile, because only readings that are close together are
 * used. */
enum { DIFFERENT = 1000 };

/* More than any counter advances in MEASURE_NS. */
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

		/* 0: the other clock could not be read. */
		if (reading && after - before < best.width)
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

static bool is_measured(const struct clock_moment *first, const struct clock_moment *last)
{
	return first->between && last->between >= first->between + MEASURE_NS;
}

/* Where the system's clock cannot be read or does not advance, a tick counts as a nanosecond: waiting for the
 * clock would never end. */
static uint64_t measured_frequency(void)
{
	const struct clock_moment first = clock_compare(read_counter, read_raw_ns);
	const uint64_t start = clock_ticks();
	struct clock_moment last = first;

	while (first.between && !is_measured(&first, &last) && clock_ticks() - start < MEASURE_TICKS_MAX)
		last = clock_compare(read_counter, read_raw_ns);
	if (!is_measured(&first, &last))
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
	const uint64_t most = 1020000000; /* no usual frequency is a multiple: processes must agree */
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
