/* Selects the processes that measure. */
#ifndef TARRY_BENCH_RUN_COMMUNICATORS_H
#define TARRY_BENCH_RUN_COMMUNICATORS_H

#include "base/status.h"
#include "bench/results/plan.h"

#include <mpi.h>

/* Checks that need no job: unknown words, invalid colours. Needs no MPI. */
enum status communicator_check(const char *words) MUST_CHECK;

/* Collective over MPI_COMM_WORLD: the group of process 0, MPI_COMM_NULL in other processes. NULL or
 * "world": all; "halves": the first half; "node": processes that share memory; "split:0,0,1,1": processes
 * with the same colour, "-": none; a short list is repeated. */
enum status communicator_part(const char *words, MPI_Comm *part) MUST_CHECK;

/* Collective over `part`: its first `ranks` processes, MPI_COMM_NULL in others. */
enum status communicator_first(MPI_Comm part, int ranks, MPI_Comm *first) MUST_CHECK;

/* The same for processes of some of its nodes: the first ones that have enough. */
enum status communicator_layout(MPI_Comm part, const struct rank_layout *layout, MPI_Comm *comm) MUST_CHECK;

/* Frees the result of these functions. */
void communicator_free(MPI_Comm *comm);

#endif
