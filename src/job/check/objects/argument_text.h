/* The arguments of a call as findings show them: "count = 10, datatype = MPI_INT, dest = 1". What says nothing to a reader (addresses of
 * buffers and arrays, handles without a name) is left out. */
#ifndef TARRY_JOB_CHECK_OBJECTS_ARGUMENT_TEXT_H
#define TARRY_JOB_CHECK_OBJECTS_ARGUMENT_TEXT_H

#include "job/check/wire/agent_call.h"

#pragma GCC visibility push(hidden)

/* On the heap; NULL: no memory. */
char *argument_text(const struct agent_call *call);

#pragma GCC visibility pop

#endif
