/* Is what an operation gives what MPI's definition says? So that what is measured is the operation. */
#ifndef TARRY_BENCH_RUN_VERIFY_H
#define TARRY_BENCH_RUN_VERIFY_H

#include "bench/run/trial.h"

/* Runs it once with known contents. Collective; what it says is this process's own. */
enum status trial_verify(struct trial *trial) MUST_CHECK;

/* What a process gives as its first element. */
int64_t verify_given(const struct trial *trial, int rank);

/* Where a process swaps what the next one has for its own: every other one expects there what is there. */
static inline bool expects_next(int rank)
{
	return rank % 2 == 0;
}

#endif
