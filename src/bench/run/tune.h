/* Measures all algorithms that the MPI library offers for an operation, and its own choice, at one size: in rounds, each in random
 * order, so that whatever changes on the machine in the meantime hits all alike. */
#ifndef TARRY_BENCH_RUN_TUNE_H
#define TARRY_BENCH_RUN_TUNE_H

#include "bench/run/task.h"

/* Collective over `comm`; the points are in its process 0, first that of the library's own choice. Algorithms that cannot do it are noted in the session's results. */
enum status tune(struct session *session, const struct bench_operation *operation, MPI_Comm comm,
                 uint64_t bytes, struct arena *arena, struct points *points) MUST_CHECK;

#endif
