/* All processes go on, or none. */
#ifndef TARRY_BENCH_RUN_AGREEMENT_H
#define TARRY_BENCH_RUN_AGREEMENT_H

#include "base/status.h"

#include <mpi.h>

/* Collective. Fails everywhere if it failed anywhere, with the sentence of the first process that did. */
enum status agree(MPI_Comm comm, enum status own) MUST_CHECK;

/* Of what a function of MPI returned. */
enum status mpi_status(int code, const char *function) MUST_CHECK;

#endif
