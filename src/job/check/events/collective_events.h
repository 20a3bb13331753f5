/* Collective calls as events: the communicator, window or file, the root, operation and data, and other arguments that must be equal. */
#ifndef TARRY_JOB_CHECK_EVENTS_COLLECTIVE_EVENTS_H
#define TARRY_JOB_CHECK_EVENTS_COLLECTIVE_EVENTS_H

#include "job/check/events/call_events.h"
#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"

struct followed_comm;

/* Pushes the event and returns its operation. NULL: no event; `postponed` of the call is set if the event
 * must wait until MPI has accepted the call. Needs the lock. */
struct announced_call *collective_event(struct agent_call *call, bool accepted, uint64_t *operation);
/* The operation that each start of a persistent collective call begins. It has its own communicator, because
 * several requests may be started in any order; the caller releases it. NULL: out of memory. */
struct announced_call *collective_start(const struct agent_call *call, const struct announced_call *made,
                                        struct followed_comm *comm);
/* MPI rejected the call: it counts as this process's part, so that other processes do not wait for it. */
void collective_rejected(const struct agent_call *call);

/* A user-defined operation was created; it is identified by its function. */
void operation_made(const struct agent_call *call);
void operation_ended(uint64_t handle);

/* The assertions of a call with MPI_MODE_… (enum window_assertion); 0: none. */
uint32_t window_assertions(const struct agent_call *call);

#endif
