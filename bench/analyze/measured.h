/* Cost of a process between two points: wall time, CPU time of all threads, peak memory. */
#ifndef TARRY_BENCH_MEASURED_H
#define TARRY_BENCH_MEASURED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* getrusage() starts with the memory of the parent process. */
static inline long peak_kib(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[128];
	long peak = 0;

	while (status && fgets(line, sizeof line, status))
		if (strncmp(line, "VmHWM:", 6) == 0)
			peak = strtol(line + 6, NULL, 10);
	if (status)
		fclose(status);
	return peak;
}

static inline void measure_end(struct measured *measured)
{
	measured->seconds = seconds_of(CLOCK_MONOTONIC) - measured->seconds;
	measured->cpu_seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - measured->cpu_seconds;
	measured->peak_kib = peak_kib();
}

/* Members of a JSON object. */
static inline void measure_print(const struct measured *measured)
{
	printf("\"seconds\": %.6f, \"cpu_seconds\": %.6f, \"peak_kib\": %ld", measured->seconds,
	       measured->cpu_seconds, measured->peak_kib);
}

#endif
