/* The checker's agent in a process of the user's job. Generated wrappers (src/calls/generator/check.py) put the parameters of a call into
 * a struct agent_call, as numbers in the order of the table of calls, C or Fortran alike; everything else follows from the
 * table:
 *
 *	int MPI_Send(const void *buf, int count, ...)
 *	{
 *		int64_t arguments[] = {…};
 *		struct agent_call call = {.id = CALL_Send, .site = HERE, .arguments = arguments};
 *
 *		if (!agent_enter(&call, FRAME))           nested in another call of MPI, or the agent stepped aside
 *			return NEXT(…);
 *		agent_before(&call);                      checks of arguments, what others have to know before it may block
 *		rc = NEXT(…);
 *		agent_after(&call, rc);                   objects that came into being or ended, what was received
 *		return rc;
 *	}
 *
 * Order inside of agent_before: arguments (arguments.h), objects and requests (objects.h, request_states.h), then events
 * (events.h); agent_after: objects, requests, events. Local checks run in the calling thread: they need the state at this moment, and
 * cost some ten nanoseconds. All that costs more (encoding, sockets) is the service thread's (service.h).
 *
 * The agent never changes what the program asked for, never calls MPI from its own thread, and on any trouble of its own it steps aside:
 * calls go through, a note says why. */
#ifndef TARRY_JOB_CHECK_AGENT_H
#define TARRY_JOB_CHECK_AGENT_H

#include "job/check/wire/agent_call.h"

bool agent_enter(struct agent_call *call, const void *frame);
void agent_before(struct agent_call *call);
void agent_after(struct agent_call *call, int rc);

#endif
