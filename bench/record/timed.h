/* What the programs of this benchmark share: time, memory, and one line of JSON from each rank. */
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

/* "VmHWM" (the most that was ever resident) and the like, in KiB. */
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

struct timing {
	uint64_t start_ns; /* of the loop */
	uint64_t loop_ns;
	uint64_t whole_ns; /* from there to the end of MPI_Finalize, where tracers write what they kept */
};

static inline void begin(struct timing *timing)
{
	timing->start_ns = now_ns();
}

static inline void end_loop(struct timing *timing)
{
	timing->loop_ns = now_ns() - timing->start_ns;
}

/* After MPI_Finalize. `calls`: how many MPI functions one round calls, for bytes of trace per call. */
static inline void tell(struct timing *timing, int rank, long rounds, int calls)
{
	timing->whole_ns = now_ns() - timing->start_ns;
	printf("{\"rank\": %d, \"rounds\": %ld, \"calls\": %d, \"loop_ns\": %lu, \"whole_ns\": %lu, "
	       "\"hwm_kib\": %ld}\n",
	       rank, rounds, calls, (unsigned long)timing->loop_ns, (unsigned long)timing->whole_ns,
	       memory_kib("VmHWM"));
	fflush(stdout);
}

#endif
