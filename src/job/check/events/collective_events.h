/* Collective calls as events: on a communicator, window or file, with root, operation, data, and other arguments that must be equal. */
#ifndef TARRY_JOB_CHECK_EVENTS_COLLECTIVE_EVENTS_H
#define TARRY_JOB_CHECK_EVENTS_COLLECTIVE_EVENTS_H

#include "job/check/events/call_events.h"
#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"

struct followed_comm;

/* Pushes the event and returns its operation. NULL: no event; `postponed` of the call is set if it has to wait until MPI has
 * accepted the call. With the lock. */
struct announced_call *collective_event(struct agent_call *call, bool accepted, uint64_t *operation);
/* What each start of a persistent collective call begins, with a communicator of its own that the caller releases: starts of several requests
 * may come in any order. NULL: no memory. */
struct announced_call *collective_start(const struct agent_call *call, const struct announced_call *made,
                                        struct followed_comm *comm);
/* After MPI did not accept it: it counts as this process's part, so that nobody misses it. */
void collective_rejected(const struct agent_call *call);

/* The end of a user-defined operation, and its beginning: by the function that it calls. */
void operation_made(const struct agent_call *call);
void operation_ended(uint64_t handle);

/* enum window_assertion, of a call with MPI_MODE_…; 0: it has none. */
uint32_t window_assertions(const struct agent_call *call);

#endif
