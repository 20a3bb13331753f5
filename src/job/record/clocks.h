/* What the trace says of time: which clock its ticks are of, and how that stood to others at the start, at the end and,
 * in a long run, now and then between. */
#ifndef TARRY_JOB_RECORD_CLOCKS_H
#define TARRY_JOB_RECORD_CLOCKS_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

void clocks_begin(void);
void clocks_end(void);

/* Ticks of the timer at which the clocks should be compared again; UINT64_MAX: never. */
extern uint64_t clocks_due;

/* Compares them, unless another thread was faster. */
void clocks_compare_again(void);

#pragma GCC visibility pop

#endif
