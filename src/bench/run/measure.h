/* The method: stages of runs that begin at given moments of the global clock; wrong runs are discarded. */
#ifndef TARRY_BENCH_RUN_MEASURE_H
#define TARRY_BENCH_RUN_MEASURE_H

#include "bench/results/results.h"
#include "bench/run/global_clock.h"
#include "bench/run/trial.h"

/* Collective over trial->comm, all of whose processes keep the clock's global time. Fills in what was measured: runs, stages, window,
 * times, summary, processes, marks that belong to these; in process 0 of trial->comm only. Memory of the point is `arena`'s.
 * Fails in all processes if it fails in one. */
enum status measure(struct trial *trial, const struct bench_plan *wanted, const struct global_clock *clock,
                    struct arena *arena, struct result_point *point) MUST_CHECK;

#endif
