/* The clock that a trace's ticks come from: the processor's counter, unless the user wants another one or the counter
 * cannot be believed.
 *
 *	uint64_t start = timer_now();
 *
 * All processes that a clock is common to give it the same identity. */
#ifndef TARRY_JOB_RECORD_TIMER_H
#define TARRY_JOB_RECORD_TIMER_H

#include "base/clock.h"
#include "base/machine.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* NULL: the processor's counter, which is read in line. */
extern uint64_t (*timer_other)(void);

/* Bits of the counter that are left out: one that counts several times in a nanosecond would only make traces longer. */
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
	const char *name; /* as in CLOCK records */
	uint64_t rate;    /* ticks in a second */
	char identity[TIMER_IDENTITY_MAX];
};

/* The one in use, once timer_start() was called. */
extern struct timer timer;

/* Chooses as SETTING_TIMER says, before anything is recorded. */
void timer_start(void);

/* From here on MPI may be asked for the time (MPI_Wtime), and from there on no more. */
void timer_mpi_begins(double (*wtime)(void));
void timer_mpi_ends(void);

/* The processor's counter, in use or not. NULL: it cannot be believed. */
const struct timer *timer_counter(void);

#pragma GCC visibility pop

#endif
