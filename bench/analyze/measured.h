/* What a process needed from here to there: time by the clock, time of all its threads, memory at its peak. */
#ifndef TARRY_BENCH_MEASURED_H
#define TARRY_BENCH_MEASURED_H

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

struct measured {
	double seconds, cpu_seconds;
	long peak_kib;
};

static inline double seconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline struct measured measure_begin(void)
{
	return (struct measured){.seconds = seconds_of(CLOCK_MONOTONIC),
	                         .cpu_seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID)};
}

static inline void measure_end(struct measured *measured)
{
	struct rusage usage;

	measured->seconds = seconds_of(CLOCK_MONOTONIC) - measured->seconds;
	measured->cpu_seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - measured->cpu_seconds;
	getrusage(RUSAGE_SELF, &usage);
	measured->peak_kib = usage.ru_maxrss;
}

/* Members of a JSON object. */
static inline void measure_print(const struct measured *measured)
{
	printf("\"seconds\": %.6f, \"cpu_seconds\": %.6f, \"peak_kib\": %ld", measured->seconds,
	       measured->cpu_seconds, measured->peak_kib);
}

#endif
