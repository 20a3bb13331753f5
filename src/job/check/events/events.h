/* The events of this process for the analysers: sends, receives and collective calls as distinct calls (call_table.h), in the order of the
 * calls. An event is pushed before its call, which may never return. If the agent has found a problem in the call, the event is pushed only after
 * MPI has accepted the call. */
#ifndef TARRY_JOB_CHECK_EVENTS_EVENTS_H
#define TARRY_JOB_CHECK_EVENTS_EVENTS_H

#include "job/check/wire/agent_call.h"

/* Before MPI_Finalize. */
void events_finalizing(void);

void events_before(struct agent_call *call);
void events_after(struct agent_call *call, int rc);
/* MPI ends the process in this call with an error of this class. */
void events_fail(const struct agent_call *call, int error_class);

#endif
