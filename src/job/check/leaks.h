/* Objects that the program has not freed when MPI ends: one finding with a count for each place of creation. */
#ifndef TARRY_JOB_CHECK_LEAKS_H
#define TARRY_JOB_CHECK_LEAKS_H

#include "job/check/wire/agent_call.h"

bool leaks_are_concerned(enum call_id id);
void leaks_before(const struct agent_call *call);
void leaks_after(const struct agent_call *call, int rc);
void leaks_at_end(bool in_finalize);

#endif
