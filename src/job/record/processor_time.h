/* The processor time that the host of a virtual machine took (steal time). The kernel counts it for all processors of the node. The program
 * does not cause such delays, and scheduling_delay.h does not see them, because the thread seems to run.
 *
 *	struct processor_time before, after;
 *	processor_time_read(PROCESSOR_TIME_FILE, &before);
 *	…
 *	processor_time_read(PROCESSOR_TIME_FILE, &after);
 *	after.steal - before.steal           of after.total - before.total
 *
 * A read takes some microseconds for each processor of the node, so it is done only at the start and at the end. */
#ifndef TARRY_JOB_RECORD_PROCESSOR_TIME_H
#define TARRY_JOB_RECORD_PROCESSOR_TIME_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define PROCESSOR_TIME_FILE "/proc/stat"

/* In kernel clock ticks, for all processors together. */
struct processor_time {
	uint64_t steal;
	uint64_t total; /* busy, idle and stolen */
};

/* False: the file cannot be read, or the kernel does not count steal time. */
bool processor_time_read(const char *path, struct processor_time *time);

#pragma GCC visibility pop

#endif
