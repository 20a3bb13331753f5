/* The operations of requests: events for their start, completion and end. Functions need the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_EVENTS_REQUEST_OPERATIONS_H
#define TARRY_JOB_CHECK_EVENTS_REQUEST_OPERATIONS_H

#include "job/check/events/call_events.h"
#include "job/check/events/comms.h"
#include "job/check/objects/request_table.h"
#include "job/check/wire/announced.h"
#include "job/check/wire/process_state.h"

/* The request of a send or receive, or of a collective call: it takes over the
 * operations that the call's events began. */
void operations_keep_message(struct checked_request *request, const struct agent_call *call,
                             struct thread_events *events, struct followed_comm *comm);
/* The request of an MPI_Imrecv, whose data is compared. */
void operations_keep_matched(struct checked_request *request, struct thread_events *events);
void operations_keep_collective(struct checked_request *request, const struct agent_call *call,
                                const struct thread_events *events, struct followed_comm *comm,
                                bool is_persistent);

/* The request of an MPI_Rget: when it is complete, `complete` is pushed with the number of the access. */
void operations_keep_get(struct checked_request *request, struct announced_call *complete, uint64_t access);

/* A persistent or partitioned request starts. Called before MPI, in the order of the array of MPI_Startall. */
void request_started(struct checked_request *request);
/* An operation is complete with this status (NULL: unknown), so its buffers belong to the program again. Called
 * before request_completed(), and long before it after MPI_Request_get_status. */
void request_arrived(struct checked_request *request, const MPI_Status *status);
/* An operation is complete. Called after MPI, in the order of the array. `status` comes from MPI, even if the
 * program ignores it; NULL: unknown. After MPI_Cancel, it says whether the cancellation succeeded
 * (status_cancelled). */
void request_completed(struct checked_request *request, const MPI_Status *status);
/* The request ends: after request_completed() if it is not persistent, or by MPI_Request_free. */
void request_ended(struct checked_request *request);

/* Before MPI_Wait and similar calls: reports that the thread waits for the requests that
 * the call has claimed. */
void operations_wait(const struct agent_call *call);

/* A receive or probe is complete with this message: the source of a wildcard is now known. */
void operation_took(uint64_t operation, const struct announced_call *call, const struct followed_comm *comm,
                    const MPI_Status *status);

/* Before MPI_Finalize, for requests that were cancelled and never completed: whether the cancellation succeeded
 * is unknown, so nothing is reported about them. */
void operations_finalizing(void);

#endif
