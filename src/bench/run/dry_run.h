/* Prints what a plan would measure, without MPI: in one process, before any job. */
#ifndef TARRY_BENCH_RUN_DRY_RUN_H
#define TARRY_BENCH_RUN_DRY_RUN_H

#include "base/text.h"
#include "bench/results/plan.h"

/* Launcher information in the environment, before MPI_Init. */
struct started_as {
	int rank;     /* 0 also without a launcher */
	int world;    /* 0: unknown */
	int launched; /* started together with this process; 0: unknown */
};

struct started_as started_as(void);

/* `world` is the number of processes, 0 if unknown. Fails if no point can be measured. */
enum status dry_run(const struct bench_plan *wanted, int world, struct text *out) MUST_CHECK;

#endif
