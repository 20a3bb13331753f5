/* The checker's agent in a process of the user's job. Generated wrappers (src/calls/generator/check.py) put
 * the parameters of a call into a struct agent_call, as numbers in the order of the table of calls, C or
 * Fortran alike; everything else follows from the table:
 *
 *	int MPI_Send(const void *buf, int count, ...)
 *	{
 *		int64_t arguments[] = {…};
 *		struct agent_call call = {.id = CALL_Send, .site = HERE, .arguments = arguments};
 *
 *		if (!agent_enter(&call, FRAME))           nested in another MPI call, or the agent is off
 *			return NEXT(…);
 *		agent_before(&call);                      argument checks, and events needed before it may block
 *		rc = NEXT(…);
 *		agent_after(&call, rc);                   created and freed objects, received messages
 *		return rc;
 *	}
 *
* The order inside agent_before is: arguments (arguments.h), objects and requests (objects.h,
 * request_states.h), events (events.h); inside agent_after: objects, requests, events. Local checks run in
 * the calling thread, because they need its current state; they take some ten nanoseconds. Expensive work
 * (encoding, sockets) belongs to the service thread (service.h).
 *
* The agent never changes what the program asks of MPI, and never calls MPI from its own thread. If the agent
 * itself fails, it steps aside: calls go straight to MPI, and a note says why. */
#ifndef TARRY_JOB_CHECK_AGENT_H
#define TARRY_JOB_CHECK_AGENT_H

#include "job/check/wire/agent_call.h"

bool agent_enter(struct agent_call *call, const void *frame);
void agent_before(struct agent_call *call);
void agent_after(struct agent_call *call, int rc);

/* For calls of OpenSHMEM (shmem_agent.c): */

/* The thread leaves a call for which agent_enter() was true. */
void agent_leave(const struct agent_call *call);
/* MPI is active since this call. False: its processes are unknown. */
bool agent_begin(const struct agent_call *call);

#endif
