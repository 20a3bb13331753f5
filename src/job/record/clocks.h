/* Records the clock of the trace's ticks, and comparisons with other clocks: at the start, at the end and, in long runs, every 20
 * seconds. */
#ifndef TARRY_JOB_RECORD_CLOCKS_H
#define TARRY_JOB_RECORD_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* These two may use the network for some tenths of a second, so the caller must not hold a lock. */
void clocks_begin(void);
void clocks_end(void);
/* Repeats the last comparison for another process of the trace in this system process. */
void clocks_join(void);

/* The tick of the next comparison; UINT64_MAX: never. */
extern uint64_t clocks_due;

/* Compares the clocks, if it is time. False: it is not, or another thread compares them. */
bool clocks_compare_again(void);

#pragma GCC visibility pop

#endif
