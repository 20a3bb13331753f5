/* Common part of non-blocking operations: computation between start and completion. */
#ifndef TARRY_BENCH_RUN_OVERLAP_H
#define TARRY_BENCH_RUN_OVERLAP_H

#include "bench/run/trial.h"

/* `code` is the result of starting: computes if requested, then waits for the trial's request. */
int overlap_finish(struct trial *trial, int code);

/* Pseudo operations with known overlap; ends with an entry without a name. */
extern const struct bench_operation overlap_truths[];

#endif
