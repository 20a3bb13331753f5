/* The circumstances of a measurement: library, hosts, binding, parameters. */
#ifndef TARRY_BENCH_RUN_PROVENANCE_H
#define TARRY_BENCH_RUN_PROVENANCE_H

#include "bench/results/plan.h"
#include "bench/results/results.h"

#include <mpi.h>

/* Collective. Adds the facts to the results of process 0. */
void provenance_gather(struct results *results, const struct bench_plan *wanted, MPI_Comm world);

/* "Open MPI 4.1.4", from MPI_Get_library_version. */
void library_name(const char *said, char *name, size_t size);

#endif
