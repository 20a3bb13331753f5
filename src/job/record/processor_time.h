/* How much of the processors' time the host of a virtual machine took: the kernel counts it for all processors of the node, and what is
 * late then is not the program's fault. A thread whose processor is taken seems to run: scheduling_delay.h does not see it.
 *
 *	struct processor_time before, after;
 *	processor_time_read(PROCESSOR_TIME_FILE, &before);
 *	…
 *	processor_time_read(PROCESSOR_TIME_FILE, &after);
 *	after.steal - before.steal           of after.total - before.total
 *
 * To read it takes some microseconds for each processor of the node, so it is done at the start and at the end only. */
#ifndef TARRY_JOB_RECORD_PROCESSOR_TIME_H
#define TARRY_JOB_RECORD_PROCESSOR_TIME_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define PROCESSOR_TIME_FILE "/proc/stat"

/* In the kernel's clock ticks, of all processors together. */
struct processor_time {
	uint64_t steal;
	uint64_t total; /* at work, idle and taken */
};

/* False: the file cannot be read, or the kernel does not count this. */
bool processor_time_read(const char *path, struct processor_time *time);

#pragma GCC visibility pop

#endif
