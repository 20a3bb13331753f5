/* Planted faults that tests expect to be detected. */
#ifndef TARRY_BENCH_RUN_PLANT_H
#define TARRY_BENCH_RUN_PLANT_H

#include "bench/run/timer.h"

struct plant {
	double drift_ppm; /* of the timers of odd processes */
	int late_rank;    /* starts every run too late; -1: none */
	int slow_rank;    /* sleeps in every run; -1: none */
	int64_t slow_ns;
	const char *timer_fault; /* "backwards", "coarse", "still", "fast"; NULL: none */
};

extern struct plant plant;

/* Several words, separated by commas: "drift:PPM", "late:RANK", "slow:RANK:MICROSECONDS", "timer:FAULT".
 * NULL: none. */
enum status plant_faults(const char *words) MUST_CHECK;

/* The timer with the faults of this process. */
const struct bench_timer *plant_timer(const struct bench_timer *timer, int rank);

#endif
