/* Checks of arguments. The kind of a parameter (kinds.txt) selects the function that checks it, so no list of MPI functions is needed; the fact
 * `arguments` selects checks of several arguments (argument_values.c).
 *
 * Insignificant arguments are ignored: arguments for the root on other ranks, counts and types next to MPI_IN_PLACE. Only valid handles are
 * passed to MPI. */
#ifndef TARRY_JOB_CHECK_ARGUMENTS_ARGUMENTS_H
#define TARRY_JOB_CHECK_ARGUMENTS_ARGUMENTS_H

#include "job/check/wire/agent_call.h"

/* Before the call; counts problems that MPI may reject it for in call->problems. */
void arguments_check(struct agent_call *call);

#endif
