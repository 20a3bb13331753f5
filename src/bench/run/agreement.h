/* All processes continue, or none. */
#ifndef TARRY_BENCH_RUN_AGREEMENT_H
#define TARRY_BENCH_RUN_AGREEMENT_H

#include "base/status.h"

#include <mpi.h>

/* Collective. Fails everywhere if it failed anywhere, with the message of the first failed process. */
enum status agree(MPI_Comm comm, enum status own) MUST_CHECK;

/* The same for a return code of MPI. */
enum status mpi_status(int code, const char *function) MUST_CHECK;

#endif
