/* Common parts of these programs: time, memory, and one line of JSON per rank. */
#ifndef TIMED_H
#define TIMED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* "VmHWM" (peak resident memory) and similar, in KiB. */
static inline long memory_kib(const char *key)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long kib = -1;

	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, key, strlen(key)) == 0 && line[strlen(key)] == ':')
			kib = strtol(line + strlen(key) + 1, NULL, 10);
	if (file)
		fclose(file);
	return kib;
}

static inline long argument(int argc, char **argv, int index, long otherwise)
{
	return argc > index ? strtol(argv[index], NULL, 10) : otherwise;
}

/* Rounds run in laps, and the median lap counts: other load affects only a few of them. Each lap is long
 * enough for the recorder's periodic work. */
enum { LAPS = 21 };

struct timing {
	uint64_t start_ns; /* of the first lap */
	uint64_t lap_start_ns;
	uint64_t laps_ns[LAPS];
	int laps;
};

static inline void begin(struct timing *timing)
{
	timing->start_ns = timing->lap_start_ns = now_ns();
	timing->laps = 0;
}

static inline void end_lap(struct timing *timing)
{
	uint64_t now = now_ns();

	timing->laps_ns[timing->laps++] = now - timing->lap_start_ns;
	timing->lap_start_ns = now;
}

static inline int compare_times(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return (first > second) - (first < second);
}

static inline uint64_t median_lap(struct timing *timing)
{
	qsort(timing->laps_ns, (size_t)timing->laps, sizeof(uint64_t), compare_times);
	return timing->laps_ns[timing->laps / 2];
}

/* After MPI_Finalize, in which tracers write their data. `rounds`: per lap; `calls`: MPI calls per round,
 * for bytes of trace per call. */
static inline void tell(struct timing *timing, int rank, long rounds, int calls)
{
	uint64_t whole_ns = now_ns() - timing->start_ns;

	printf("{\"rank\": %d, \"rounds\": %ld, \"calls\": %d, \"lap_ns\": %lu, \"whole_ns\": %lu, "
	       "\"hwm_kib\": %ld}\n",
	       rank, rounds * timing->laps, calls,
	       (unsigned long)(median_lap(timing) * (uint64_t)timing->laps), (unsigned long)whole_ns,
	       memory_kib("VmHWM"));
	fflush(stdout);
}

#endif
