/* Computation of a given duration that uses neither memory nor MPI. It ends by the clock, not after a
 * number of steps, so that the following code starts on time whatever else the machine does. */
#ifndef TARRY_BENCH_RUN_COMPUTING_H
#define TARRY_BENCH_RUN_COMPUTING_H

#include <stdint.h>

void compute(int64_t ns);

#endif
