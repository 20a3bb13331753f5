/* Checks of threads: calls and threads that the thread level forbids, concurrent collective calls on the same communicator, and a request in two
 * concurrent calls. */
#ifndef TARRY_JOB_CHECK_OBJECTS_THREADS_H
#define TARRY_JOB_CHECK_OBJECTS_THREADS_H

#include "job/check/wire/agent_call.h"

struct checked_request;

/* MPI has begun in this thread, by this call, with the level from MPI_Query_thread. */
void threads_start(const struct agent_call *call);

/* Around each call that is not nested. */
void threads_before(struct agent_call *call);
void threads_after(const struct agent_call *call);

/* thread.concurrent-request: another thread is in a call that may complete this request. */
void threads_report_request(struct agent_call *call, enum call_id created_by, uint32_t created_at);

#endif
