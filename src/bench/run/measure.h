/* The method: stages of runs that start at given times of the global clock; invalid runs are discarded. */
#ifndef TARRY_BENCH_RUN_MEASURE_H
#define TARRY_BENCH_RUN_MEASURE_H

#include "bench/results/results.h"
#include "bench/run/global_clock.h"
#include "bench/run/trial.h"

/* Collective over trial->comm, whose processes share a global clock. Fills in the measured values (runs,
 * stages, window, times, summary, processes, and their marks), only in process 0. `arena` owns the memory
 * of the point. Fails in all processes or in none. */
enum status measure(struct trial *trial, const struct bench_plan *wanted, const struct global_clock *clock,
                    struct arena *arena, struct result_point *point) MUST_CHECK;

#endif
