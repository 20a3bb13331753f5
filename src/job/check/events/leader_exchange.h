/* MPI_Intercomm_create as events: the two leaders send each other a message with the tag on peer_comm, and all other processes wait for their
 * leader. These messages match only each other. Functions need the lock. */
#ifndef TARRY_JOB_CHECK_EVENTS_LEADER_EXCHANGE_H
#define TARRY_JOB_CHECK_EVENTS_LEADER_EXCHANGE_H

#include "job/check/wire/agent_call.h"

#include <stdbool.h>

/* True for such a call. Its collective operation then has CHECK_CALL_TOGETHER, and
 * exchange_begins() pushes the wait. */
bool exchange_follows(const struct agent_call *call);
/* After the collective operation was pushed. `waits`: the call has not returned yet. */
void exchange_begins(const struct agent_call *call, bool waits);
/* The call has returned. `happened`: false if MPI rejected it. */
void exchange_ends(const struct agent_call *call, bool happened);

#endif
