/* Whether processes share cores: then times mainly show how the machine schedules them. */
#ifndef TARRY_BENCH_RUN_CROWDING_H
#define TARRY_BENCH_RUN_CROWDING_H

#include "bench/run/processors.h"

#include <mpi.h>

/* Collective; the worst node, in all processes. */
struct core_sharing crowding_find(MPI_Comm comm);

#endif
