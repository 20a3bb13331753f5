/* Calls of OpenSHMEM as analysers see them, in terms of MPI (docs/check-protocol.md):
 *
 *	collective calls      operations of a communicator for each active set; allocations and shmem_finalize are collective calls of all PEs
 *	locks                 a window for each lock, whose rank 0 is locked exclusively
 *	accesses              one window for the symmetric memory of all PEs, which all PEs lock with MPI_Win_lock_all: shmem_quiet
 *	                      and shmem_fence are MPI_Win_flush_all
 *
 * A wait for a variable and a lock may tell the PE about everything that another PE has done, so they count as reads of the
 * window, and a cleared lock as a write (check/execution/window_races.h). */
#ifndef TARRY_JOB_CHECK_SHMEM_SHMEM_EVENTS_H
#define TARRY_JOB_CHECK_SHMEM_SHMEM_EVENTS_H

#include "job/check/shmem/shmem_call.h"

/* shmem_init() has returned. */
void shmem_events_start(struct shmem_call *c);
void shmem_events_before(struct shmem_call *c);
void shmem_events_after(struct shmem_call *c);

#endif
