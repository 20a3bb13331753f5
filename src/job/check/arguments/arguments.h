/* Checks of arguments. The kind of a parameter (kinds.txt) selects the function that checks it, so no list of MPI functions is needed. The fact
 * `arguments` selects checks that need several arguments (argument_values.c).
 *
* Insignificant arguments are ignored, such as the root's arguments on other ranks, or counts and types with MPI_IN_PLACE. Only valid handles
 * are passed to MPI. */
#ifndef TARRY_JOB_CHECK_ARGUMENTS_ARGUMENTS_H
#define TARRY_JOB_CHECK_ARGUMENTS_ARGUMENTS_H

#include "job/check/wire/agent_call.h"

/* Before the call. Counts problems for which MPI may reject it in call->problems. */
void arguments_check(struct agent_call *call);

#endif
