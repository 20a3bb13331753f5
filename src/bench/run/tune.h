/* Measures all algorithms of the MPI library for an operation and its own choice, at one size: in rounds
 * of random order, so that changes of the machine affect all alike. */
#ifndef TARRY_BENCH_RUN_TUNE_H
#define TARRY_BENCH_RUN_TUNE_H

#include "bench/run/task.h"

/* Collective over `comm`. Process 0 gets the points, the library's own choice first. Failing algorithms
 * are noted in the session's results. */
enum status tune(struct session *session, const struct bench_operation *operation, MPI_Comm comm,
                 uint64_t bytes, struct arena *arena, struct points *points) MUST_CHECK;

#endif
