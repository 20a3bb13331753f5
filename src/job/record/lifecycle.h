/* Start and end of the recorder: after MPI_Init the process gets its rank, and in MPI_Finalize the parts are merged into the trace. */
#ifndef TARRY_JOB_RECORD_LIFECYCLE_H
#define TARRY_JOB_RECORD_LIFECYCLE_H

#include "job/mpi/flavour.h"
#include "job/record/stream.h"

/* After a successful MPI_Init or MPI_Init_thread. */
void lifecycle_initialized(struct recording_stream *s);
#if HAS_SESSIONS
/* After MPI_Session_init. Without MPI_Init there is no MPI_COMM_WORLD, but the processes are the same. */
void lifecycle_session(MPI_Session session);
#endif

/* Executes MPI_Finalize by `call`, records it if there is a stream, and merges the parts. */
int lifecycle_finalize(struct recording_stream *s, const void *site, int (*call)(void));

#endif
