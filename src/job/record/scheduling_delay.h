/* The time in which a thread was ready to run but had no processor. The program does not cause such delays. The kernel counts them in a file,
 * which the thread keeps open.
 *
 *	scheduling_delay_begin(&delay, &total_us);
 *	…
 *	uint32_t us = scheduling_delay_since(&delay);        since its last result
 *	scheduling_delay_end(&delay);
 *
* Reading it takes half a microsecond, so it is read only after a long call, or after a long time between two calls. If there is no such file,
 * or the program closed it, the delay is 0. */
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
	uint64_t recorded_ns; /* the part of the kernel's count that is recorded */
	uint64_t *total_us;   /* sum of all threads of the process */
};

/* In ticks. The delay is not read after shorter calls and shorter times between calls. */
uint64_t scheduling_delay_threshold(void);

void scheduling_delay_begin(struct scheduling_delay *delay, uint64_t *total_us);
void scheduling_delay_end(struct scheduling_delay *delay);

/* In microseconds. A small delay is returned later, with the next ones. */
uint32_t scheduling_delay_since(struct scheduling_delay *delay);

#pragma GCC visibility pop

#endif
