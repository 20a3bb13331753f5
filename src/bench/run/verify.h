/* Compares the result of an operation with MPI's definition, so that the operation itself is measured. */
#ifndef TARRY_BENCH_RUN_VERIFY_H
#define TARRY_BENCH_RUN_VERIFY_H

#include "bench/run/trial.h"

/* Runs it once with known contents. Collective; the result is local. */
enum status trial_verify(struct trial *trial) MUST_CHECK;

/* The first element of a process's contribution. */
int64_t verify_given(const struct trial *trial, int rank);

/* In a swap with the next process: every other process expects the value that is there. */
static inline bool expects_next(int rank)
{
	return rank % 2 == 0;
}

#endif
