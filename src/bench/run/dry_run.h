/* What a plan would measure, told without MPI: by a process alone, before any job. */
#ifndef TARRY_BENCH_RUN_DRY_RUN_H
#define TARRY_BENCH_RUN_DRY_RUN_H

#include "base/text.h"
#include "bench/results/plan.h"

/* What launchers tell processes in their environment, before MPI_Init. */
struct started_as {
	int rank;     /* 0 also without a launcher */
	int world;    /* 0: unknown */
	int launched; /* with this process, certainly; 0: no launcher says so */
};

struct started_as started_as(void);

/* `world` is the number of processes, 0 if unknown. Fails if nothing of the plan can be measured. */
enum status dry_run(const struct bench_plan *wanted, int world, struct text *out) MUST_CHECK;

#endif
