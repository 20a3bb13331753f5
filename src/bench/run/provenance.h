/* Under which circumstances a job measures: library, hosts, binding, parameters, all that a later reader may ask for. */
#ifndef TARRY_BENCH_RUN_PROVENANCE_H
#define TARRY_BENCH_RUN_PROVENANCE_H

#include "bench/results/plan.h"
#include "bench/results/results.h"

#include <mpi.h>

/* Collective. Process 0's results get the facts. */
void provenance_gather(struct results *results, const struct bench_plan *wanted, MPI_Comm world);

/* "Open MPI 4.1.4", of what MPI_Get_library_version says. */
void library_name(const char *said, char *name, size_t size);

#endif
