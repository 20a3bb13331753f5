/* The method: stages of runs that begin at given moments of the global clock; wrong runs are discarded. */
#ifndef TARRY_BENCH_MEASURE_H
#define TARRY_BENCH_MEASURE_H

#include "bench/global_clock.h"
#include "bench/trial.h"

/* Collective over trial->comm. The clock is that of this communicator. Fills in what was measured: runs, stages, window, times,
 * summary, processes, clock error, marks; the same in process 0 of `comm` only. Memory of the point is `arena`'s. */
enum status measure(struct trial *trial, const struct plan *wanted, const struct global_clock *clock,
                    struct arena *arena, struct point *point) MUST_CHECK;

#endif
