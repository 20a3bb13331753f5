/* Checks the order of calls: most functions are allowed only between MPI_Init and MPI_Finalize, or while a session exists. */
#ifndef TARRY_JOB_CHECK_ORDER_H
#define TARRY_JOB_CHECK_ORDER_H

#include "job/check/wire/agent_call.h"

/* Before the call: reports a call that is too early or too late. True: MPI is active, so further
 * checks are possible. */
bool order_before(struct agent_call *call);
void order_after(const struct agent_call *call, int rc);

#endif
