/* Whether processes have to share processors: then one waits for the other in its sleep, and times say little. */
#ifndef TARRY_BENCH_RUN_CROWDING_H
#define TARRY_BENCH_RUN_CROWDING_H

#include "bench/run/processors.h"

#include <mpi.h>

/* Collective; the worst node, in all processes. */
struct core_sharing crowding_find(MPI_Comm comm);

#endif
