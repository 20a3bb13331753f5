/* How long a thread wanted a processor and had none, because others had it: what is late then is not the program's fault.
 * The kernel tells it in a file, which a thread keeps open.
 *
 *	scheduling_delay_begin(&delay, &total_us);
 *	…
 *	uint32_t us = scheduling_delay_since(&delay);        since the last time it told something
 *	scheduling_delay_end(&delay);
 *
 * To look takes half a microsecond, so it is done only when a call, or the time between two, was so long that this does
 * not matter. Where the file is missing or was closed by the program, no delay is told. */
#ifndef TARRY_JOB_RECORD_SCHEDULING_DELAY_H
#define TARRY_JOB_RECORD_SCHEDULING_DELAY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

struct scheduling_delay {
	bool is_known;
	int file;
	dev_t device;
	ino_t number;         /* by which it is known that the file is still ours */
	uint64_t recorded_ns; /* of the kernel's count */
	uint64_t *total_us;   /* of all threads that it is counted with */
};

/* Shorter calls, and times between calls, are not looked at. In ticks. */
uint64_t scheduling_delay_threshold(void);

void scheduling_delay_begin(struct scheduling_delay *delay, uint64_t *total_us);
void scheduling_delay_end(struct scheduling_delay *delay);

/* Microseconds; a small delay waits for more. */
uint32_t scheduling_delay_since(struct scheduling_delay *delay);

#pragma GCC visibility pop

#endif
