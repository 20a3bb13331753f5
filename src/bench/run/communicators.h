/* Which processes measure. */
#ifndef TARRY_BENCH_RUN_COMMUNICATORS_H
#define TARRY_BENCH_RUN_COMMUNICATORS_H

#include "base/status.h"

#include <mpi.h>

/* What is wrong whatever the job: an unknown word, a colour that is none. Needs no MPI. */
enum status communicator_check(const char *words) MUST_CHECK;

/* Collective over MPI_COMM_WORLD: the part that its process 0 is in, MPI_COMM_NULL in all others. NULL or "world": all; "halves":
 * the first half; "node": those that share memory with it; "split:0,0,1,1": those with the same colour, "-" being none; a
 * list that is too short begins again. */
enum status communicator_part(const char *words, MPI_Comm *part) MUST_CHECK;

/* Collective over `part`: its first `ranks` processes, MPI_COMM_NULL in all others. */
enum status communicator_first(MPI_Comm part, int ranks, MPI_Comm *first) MUST_CHECK;

/* Gives back what one of these made. */
void communicator_free(MPI_Comm *comm);

#endif
