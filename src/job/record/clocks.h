/* Records the clock of the trace's ticks, and its comparisons with other clocks at the start, at the end and now and then in a long
 * run. */
#ifndef TARRY_JOB_RECORD_CLOCKS_H
#define TARRY_JOB_RECORD_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* These may use the network for some tenths of a second, so the caller must not hold a lock. */
void clocks_begin(void);
void clocks_end(void);
/* Repeats the last comparison for another process of the trace in this system process. */
void clocks_join(void);

/* The tick of the next comparison; UINT64_MAX: never. */
extern uint64_t clocks_due;

/* Compares the clocks. False: another thread does. */
bool clocks_compare_again(void);

#pragma GCC visibility pop

#endif
