/* The arguments of a call for findings: "count = 10, datatype = MPI_INT, dest = 1". Addresses and unnamed handles are left out. */
#ifndef TARRY_JOB_CHECK_OBJECTS_ARGUMENT_TEXT_H
#define TARRY_JOB_CHECK_OBJECTS_ARGUMENT_TEXT_H

#include "job/check/wire/agent_call.h"

/* On the heap; NULL: no memory. */
char *argument_text(const struct agent_call *call);

#endif
