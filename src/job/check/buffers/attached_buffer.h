/* Attached buffers, of the process or, since MPI 4.1, of a communicator or session, and the bytes that buffered sends need in them: MPI_Pack_size
 * plus MPI_BSEND_OVERHEAD for each message. The agent checks that a single message fits. The first analyser adds up the messages that are in the
 * process's buffer at the same time (check/execution/ordering.h). */
#ifndef TARRY_JOB_CHECK_BUFFERS_ATTACHED_BUFFER_H
#define TARRY_JOB_CHECK_BUFFERS_ATTACHED_BUFFER_H

#include "job/check/objects/request_table.h"

bool attached_buffer_is_concerned(enum call_id id);
void attached_buffer_before(struct agent_call *call);
void attached_buffer_after(struct agent_call *call, int rc);

/* The bytes that a buffered message needs; 0: none, or unknown. */
uint64_t attached_buffer_needed(const struct agent_call *call);
/* A request of MPI_Bsend_init starts. */
void attached_buffer_start(struct agent_call *call, const struct checked_request *request);

/* Whether this send certainly uses the buffer of the process, if any. */
bool attached_buffer_is_of_process(const struct agent_call *call);
/* Size of the buffer of the process in bytes; 0: none, or unlimited. */
uint64_t attached_buffer_size(void);
/* True once after each MPI_Buffer_attach, MPI_Buffer_flush and MPI_Buffer_iflush. */
bool attached_buffer_is_new(void);

/* When MPI ends. */
void attached_buffer_report_left(void);

#endif
