/* What non-blocking operations have in common: computation between start and completion. */
#ifndef TARRY_BENCH_RUN_OVERLAP_H
#define TARRY_BENCH_RUN_OVERLAP_H

#include "bench/run/trial.h"

/* `code` is what starting it gave: computes if that is wanted, then waits for the trial's request. */
int overlap_finish(struct trial *trial, int code);

/* Pseudo operations whose overlap is known before; ends with one without a name. */
extern const struct bench_operation overlap_truths[];

#endif
