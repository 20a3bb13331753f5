/* The processor's counter: the cheapest clock there is, common to all cores of a machine, never set back.
 * Each architecture has its own file; this one adds what they share.
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

/* What two clocks showed at the same moment. */
struct clock_moment {
	uint64_t around;
	uint64_t between;
	uint64_t width; /* of the first one: from the reading before the other to the one after it */
};

/* Reads the one before and after the other, as close together as several attempts allow. */
struct clock_moment clock_compare(uint64_t (*around)(void), uint64_t (*between)(void));

/* Ticks in a second: measured for 10 ms against CLOCK_MONOTONIC_RAW, or what the processor states more exactly than that. */
uint64_t clock_frequency(void);

/* How many of its lowest bits a counter of this frequency can do without: a tick is then 0.98 to 1.96 ns, or as long as it is. */
uint32_t clock_spare_bits(uint64_t frequency);

/* Which of two frequencies to believe: what is stated (0: nothing is), unless the measured one shows that it is wrong. A virtual machine may
 * state what is true of another one. */
uint64_t clock_believed(uint64_t stated, uint64_t measured);

#endif
