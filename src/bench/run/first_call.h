/* The first and the second call of one operation, in a job that has not communicated before. */
#ifndef TARRY_BENCH_RUN_FIRST_CALL_H
#define TARRY_BENCH_RUN_FIRST_CALL_H

#include "bench/results/plan.h"

#include <mpi.h>

/* Collective over `world`, right after MPI_Init. Process 0 writes the results; see results/first_call.h. */
enum status first_call_run(const struct bench_plan *wanted, MPI_Comm world) MUST_CHECK;

#endif
