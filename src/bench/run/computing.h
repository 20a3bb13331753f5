/* Work that takes a given time and leaves memory and MPI alone. It ends by the clock, not after so many steps: whatever else the
 * machine does meanwhile, what follows begins when the time is over. */
#ifndef TARRY_BENCH_RUN_COMPUTING_H
#define TARRY_BENCH_RUN_COMPUTING_H

#include <stdint.h>

void compute(int64_t ns);

#endif
