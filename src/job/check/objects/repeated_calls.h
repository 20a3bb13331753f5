/* One-sided calls that repeat an earlier one: the same function at the same place with the same arguments, apart from buffers and displacements, while no object
 * has ended. A check of these arguments would have the same result, and the distinct call is known.
 *
 *	if (!repeated_call_find(call) && check_all_arguments(call))
 *		repeated_call_keep(call);
 *
 * Nothing repeats under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_OBJECTS_REPEATED_CALLS_H
#define TARRY_JOB_CHECK_OBJECTS_REPEATED_CALLS_H

#include "job/check/wire/agent_call.h"

struct repeated_call {
	enum call_id id;
	bool fortran;
	uint32_t place;
	uint32_t generation; /* of checked.generation */
	int64_t arguments[CALL_PARAMETERS_MAX];
	struct announced_call *announced; /* of window_events.c; NULL: not known yet */
};

void repeated_calls_start(void);

/* False: it is new. Otherwise sets call->repeated. */
bool repeated_call_find(struct agent_call *call);
/* Keeps a new call without problems. */
void repeated_call_keep(struct agent_call *call);

#endif
