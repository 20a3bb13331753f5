/* The time in which a thread was not on a processor: ready to run without one, which the program does not cause, or blocked in the kernel: asleep, in
 * input and output, or in a page fault. The kernel counts the delay of ready threads in a file, which the thread keeps open.
 *
 *	scheduling_delay_begin(&delay, &total_us);
 *	…
 *	uint32_t us = scheduling_delay_since(&delay, now, &blocked_ns);        since its last result; blocked: since the last look
 *	scheduling_delay_restart(&delay, now);                                 a look without a result
 *	scheduling_delay_end(&delay);
 *
 * A look takes a fifth of a microsecond, or a whole one if the thread was not always on a processor. So it is done only after a long call, or after a
 * long time between two calls. If there is no such file, or the program closed it, both times are 0. */
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
	/* The last look; 0: there was none. */
	uint64_t looked_tick;
	uint64_t ran_ns; /* until then */
};

/* In ticks. The delay is not read after shorter calls and shorter times between calls. */
uint64_t scheduling_delay_threshold(void);

void scheduling_delay_begin(struct scheduling_delay *delay, uint64_t *total_us);
void scheduling_delay_end(struct scheduling_delay *delay);

/* In microseconds. A small delay is returned later, with the next ones. `now` is the current tick. */
uint32_t scheduling_delay_since(struct scheduling_delay *delay, uint64_t now, uint64_t *blocked_ns);
void scheduling_delay_restart(struct scheduling_delay *delay, uint64_t now);

/* The time of this thread on processors. False: not known. */
bool thread_ran(uint64_t *ns);

#pragma GCC visibility pop

#endif
