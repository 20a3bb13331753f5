/* The recorder's own beginning and end: after MPI_Init the process learns who it is; in MPI_Finalize all
 * processes bring their parts together into the trace. */
#ifndef TARRY_JOB_RECORD_LIFECYCLE_H
#define TARRY_JOB_RECORD_LIFECYCLE_H

#include "job/mpi/flavour.h"
#include "job/record/stream.h"

/* After MPI_Init or MPI_Init_thread has succeeded. */
void lifecycle_initialized(struct recording_stream *s);
#if HAS_SESSIONS
/* After MPI_Session_init: without MPI_Init there is no MPI_COMM_WORLD, but the processes are the same. */
void lifecycle_session(MPI_Session session);
#endif

/* MPI_Finalize: records the call unless there is no stream, merges the parts around it. `call` is MPI's own. */
int lifecycle_finalize(struct recording_stream *s, const void *site, int (*call)(void));

#endif
