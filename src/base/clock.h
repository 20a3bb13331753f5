/* The processor's counter: the cheapest clock, common to all cores of a machine, never set back. Each
 * architecture has its own file; this file has the common part.
 *
 *	uint64_t start = clock_ticks();
 *	work();
 *	seconds = (double)(clock_ticks() - start) / clock_frequency(); */
#ifndef TARRY_BASE_CLOCK_H
#define TARRY_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#if defined(__aarch64__)
#include "base/clock_aarch64.h"
#elif defined(__x86_64__)
#include "base/clock_x86_64.h"
#else
#error "no counter known on this processor: add base/clock_<processor>.h"
#endif

/* Nanoseconds of one of the system's clocks. */
uint64_t clock_system_ns(clockid_t id);

/* The readings of two clocks at the same moment. */
struct clock_moment {
	uint64_t around;
	uint64_t between;
	uint64_t width; /* of the first clock: between its readings before and after the other clock */
};

/* Reads one clock before and after the other, as close together as several attempts allow. */
struct clock_moment clock_compare(uint64_t (*around)(void), uint64_t (*between)(void));

/* Ticks per second: measured for 10 ms against CLOCK_MONOTONIC_RAW, or the frequency that the processor
 * states, if that is more exact. */
uint64_t clock_frequency(void);

/* How many of the lowest bits can be dropped from a counter of this frequency: a tick is then 0.98 to
 * 1.96 ns, or unchanged. */
uint32_t clock_spare_bits(uint64_t frequency);

/* Chooses between two frequencies: the stated one (0: none), unless the measured one disproves it. A virtual
 * machine may state the frequency of another machine. */
uint64_t clock_believed(uint64_t stated, uint64_t measured);

#endif
