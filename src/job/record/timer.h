/* The clock of a trace's ticks: the processor's counter, unless the user chose another clock or the counter is unreliable.
 *
 *	uint64_t start = timer_now();
 *
 * Processes that share a clock give it the same identity. */
#ifndef TARRY_JOB_RECORD_TIMER_H
#define TARRY_JOB_RECORD_TIMER_H

#include "base/clock.h"
#include "base/machine.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* NULL: the processor's counter, which is read inline. */
extern uint64_t (*timer_other)(void);

/* The number of low bits of the counter that are dropped: a resolution below a nanosecond would only make traces longer. */
extern uint32_t timer_shift;

static inline uint64_t timer_counter_now(void)
{
	return clock_ticks() >> timer_shift;
}

static inline uint64_t timer_now(void)
{
	return __builtin_expect(!timer_other, 1) ? timer_counter_now() : timer_other();
}

enum { TIMER_IDENTITY_MAX = MACHINE_TEXT + 64 };

struct timer {
	const char *name; /* in CLOCK records */
	uint64_t rate;    /* ticks per second */
	char identity[TIMER_IDENTITY_MAX];
};

/* The clock in use. Valid after timer_start(). */
extern struct timer timer;

/* Chooses the clock by SETTING_TIMER, before anything is recorded. */
void timer_start(void);

/* MPI_Wtime may be called between these two. */
void timer_mpi_begins(double (*wtime)(void));
void timer_mpi_ends(void);

/* The processor's counter, in use or not. NULL: it is unreliable. */
const struct timer *timer_counter(void);

#pragma GCC visibility pop

#endif
