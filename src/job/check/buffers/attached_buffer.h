/* The buffer of MPI_Buffer_attach, and the bytes that buffered sends need in it: MPI_Pack_size and MPI_BSEND_OVERHEAD for each message. The agent
 * checks that a single message fits. The first analyser adds up messages that are in the buffer at once (check/execution/ordering.h). */
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

/* Of the attached buffer, in bytes; 0: none, or without a limit. */
uint64_t attached_buffer_size(void);
/* Once after each MPI_Buffer_attach. */
bool attached_buffer_is_new(void);

/* At the end. */
void attached_buffer_report_left(void);

#endif
