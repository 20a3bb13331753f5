/* Writes the trace of a workload, process by process, and sums up the true waits. */
#ifndef TARRY_BENCH_TRACE_FILE_H
#define TARRY_BENCH_TRACE_FILE_H

#include "base/status.h"
#include "workload.h"

struct truth {
	uint64_t calls;
	struct wait_total waits[WAIT_STATES];
};

enum status write_trace(const struct workload *load, const char *path, struct truth *truth) MUST_CHECK;

#endif
