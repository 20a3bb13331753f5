/* Memory of the MPI library: read before MPI_Init and after each step that may allocate.
 *
 *	struct memory_look before;
 *	TRY(memory_begin(&before));
 *	MPI_Init(…);
 *	TRY(memory_run(&before, &plan, MPI_COMM_WORLD)); */
#ifndef TARRY_BENCH_RUN_MEMORY_H
#define TARRY_BENCH_RUN_MEMORY_H

#include "bench/results/plan.h"

#include <mpi.h>

/* Bytes of this process. */
struct memory_look {
	double anonymous, shared, file; /* from /proc/self/smaps_rollup: its share of common pages */
	double heap;                    /* of malloc */
};

/* Before MPI_Init. */
enum status memory_begin(struct memory_look *before) MUST_CHECK;

/* Collective over `world`. Process 0 prints and writes the results. */
enum status memory_run(const struct memory_look *before, const struct bench_plan *wanted,
                       MPI_Comm world) MUST_CHECK;

#endif
