/* What MPI libraries call a collective operation in their settings. */
#ifndef TARRY_BENCH_TUNING_COLLECTIVE_H
#define TARRY_BENCH_TUNING_COLLECTIVE_H

#include "base/arena.h"

/* "bcast" of "MPI_Bcast". */
const char *collective_short_name(const char *operation, struct arena *arena);

#endif
