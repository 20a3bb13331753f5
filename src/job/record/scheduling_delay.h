/* The time that a thread waited for a processor because others used it. Such delays are not the program's fault. The kernel counts it in a
 * file, which the thread keeps open.
 *
 *	scheduling_delay_begin(&delay, &total_us);
 *	…
 *	uint32_t us = scheduling_delay_since(&delay);        since the last delay that it returned
 *	scheduling_delay_end(&delay);
 *
 * A look takes half a microsecond, so it is done only after a long call, or a long time between two calls. Without the file, or if the
 * program closed it, the delay is 0. */
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
	ino_t number;         /* to check that the file is still ours */
	uint64_t recorded_ns; /* of the kernel's count */
	uint64_t *total_us;   /* sum of all threads of the process */
};

/* In ticks. Shorter calls, and shorter times between calls, are not looked at. */
uint64_t scheduling_delay_threshold(void);

void scheduling_delay_begin(struct scheduling_delay *delay, uint64_t *total_us);
void scheduling_delay_end(struct scheduling_delay *delay);

/* Microseconds. A small delay is returned later, together with more. */
uint32_t scheduling_delay_since(struct scheduling_delay *delay);

#pragma GCC visibility pop

#endif
