/* Is what an operation gives what MPI's definition says? So that what is measured is the operation. */
#ifndef TARRY_BENCH_VERIFY_H
#define TARRY_BENCH_VERIFY_H

#include "bench/trial.h"

/* Runs it once with known contents. Collective; what it says is this process's own. */
enum status trial_verify(struct trial *trial) MUST_CHECK;

#endif
