/* One-sided calls that repeat an earlier one: the same function, place and arguments, except for buffers and displacements, and no object has ended in
 * between. Checking these arguments again would have the same result, and the distinct call is known.
 *
 *	if (!repeated_call_find(call) && check_all_arguments(call))
 *		repeated_call_keep(call);
 *
* Under MPI_THREAD_MULTIPLE, no call counts as repeated. */
#ifndef TARRY_JOB_CHECK_OBJECTS_REPEATED_CALLS_H
#define TARRY_JOB_CHECK_OBJECTS_REPEATED_CALLS_H

#include "job/check/wire/agent_call.h"

struct repeated_call {
	enum call_id id;
	bool fortran;
	uint32_t place;
	uint32_t generation; /* value of checked.generation */
	int64_t arguments[CALL_PARAMETERS_MAX];
	struct announced_call *announced; /* of window_events.c; NULL: not known yet */
};

void repeated_calls_start(void);

/* Sets call->repeated. False: the call is new. */
bool repeated_call_find(struct agent_call *call);
/* Keeps a new call without problems. */
void repeated_call_keep(struct agent_call *call);

#endif
