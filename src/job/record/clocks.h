/* What the trace says of time: which clock its ticks are of, and how that stood to others at the start, at the end and,
 * in a long run, now and then between. */
#ifndef TARRY_JOB_RECORD_CLOCKS_H
#define TARRY_JOB_RECORD_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* These may ask over the network, for some tenths of a second: no lock may be held. */
void clocks_begin(void);
void clocks_end(void);
/* For another process of the trace that shares this one: the same without asking again. */
void clocks_join(void);

/* Ticks of the timer at which the clocks should be compared again; UINT64_MAX: never. */
extern uint64_t clocks_due;

/* Compares them, unless another thread was faster: then false. */
bool clocks_compare_again(void);

#pragma GCC visibility pop

#endif
