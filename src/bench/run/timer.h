/* Timers by name. Each is tested before use. */
#ifndef TARRY_BENCH_RUN_TIMER_H
#define TARRY_BENCH_RUN_TIMER_H

#include "base/status.h"

#include <stdint.h>

struct bench_timer {
	const char *name;
	const char *help;
	int64_t (*now)(void);  /* nanoseconds since an arbitrary moment */
	void (*prepare)(void); /* before the first reading; NULL: nothing to do */
};

extern const struct bench_timer timers[]; /* ends with an entry without a name */

/* NULL or "auto": the CPU counter if it is reliable, otherwise CLOCK_MONOTONIC. Prepares it. */
enum status timer_find(const char *name, const struct bench_timer **timer) MUST_CHECK;

/* A signal may end it early. */
void sleep_ns(int64_t ns);

struct timer_quality {
	int64_t resolution_ns; /* the smallest step */
	int64_t cost_ns;       /* of a reading */
};

/* Takes about 20 ms. Fails with the reason if the timer runs backwards, stands still, is too coarse or
 * disagrees with the system clock. */
enum status timer_test(const struct bench_timer *timer, struct timer_quality *quality) MUST_CHECK;

#endif
