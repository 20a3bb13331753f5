/* Checks of arguments: what a call may be given follows from the kinds of its parameters (kinds.txt), so that there is a small function
 * for each kind, and no list of functions. What single functions want besides is in argument_values.c.
 *
 * Arguments that mean nothing on this rank (those of other ranks' root, counts and types beside MPI_IN_PLACE) are not looked at.
 * MPI is only asked of handles that are known to be good. */
#ifndef TARRY_JOB_CHECK_ARGUMENTS_ARGUMENTS_H
#define TARRY_JOB_CHECK_ARGUMENTS_ARGUMENTS_H

#include "job/check/wire/agent_call.h"

#pragma GCC visibility push(hidden)

/* Before the call; adds to call->problems what MPI may reject it for. */
void arguments_check(struct agent_call *call);

#pragma GCC visibility pop

#endif
