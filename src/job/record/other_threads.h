/* The CPU time of threads that are not recorded, because they make no recorded call: their work is missing in the trace, and the analysis
 * must report that. Threads that MPI_Init starts belong to MPI and do not count.
 *
 *	other_threads_begin();        before the first call of MPI
 *	other_threads_of_mpi();       after MPI_Init
 *	…
 *	other_threads_conclude();     before MPI_Finalize: writes the property "other_threads"
 *
 * The kernel counts the time of the process and of each thread. The difference also covers threads that have ended. */
#ifndef TARRY_JOB_RECORD_OTHER_THREADS_H
#define TARRY_JOB_RECORD_OTHER_THREADS_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

void other_threads_begin(void);
void other_threads_of_mpi(void);
/* Only the first call writes. */
void other_threads_conclude(void);

/* The CPU time of a thread so far; 0: it has ended. */
uint64_t thread_cpu_ns(int tid);

#pragma GCC visibility pop

#endif
