/* Work that takes a given time and leaves memory and MPI alone. It is the same work whatever else happens: who is kept from it
 * takes longer. */
#ifndef TARRY_BENCH_COMPUTING_H
#define TARRY_BENCH_COMPUTING_H

#include <stdint.h>

/* Finds out once how fast this process is. */
void computing_calibrate(void);
void compute(int64_t ns);

#endif
