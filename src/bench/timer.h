/* Clocks to measure with, by name. Each is tested before use. */
#ifndef TARRY_BENCH_TIMER_H
#define TARRY_BENCH_TIMER_H

#include "base/status.h"

#include <stdint.h>

struct timer {
	const char *name;
	const char *help;
	int64_t (*now)(void); /* nanoseconds from some moment */
};

extern const struct timer timers[]; /* ends with an entry without a name */

enum status timer_find(const char *name, const struct timer **timer) MUST_CHECK;

struct timer_quality {
	int64_t resolution_ns; /* the smallest step seen */
	int64_t cost_ns;       /* of a reading */
};

/* Fails with the reason if it runs backwards, stands still, is too coarse or at odds with the other clocks. */
enum status timer_test(const struct timer *timer, struct timer_quality *quality) MUST_CHECK;

#endif
