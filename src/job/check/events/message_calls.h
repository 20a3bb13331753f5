/* Distinct calls of point-to-point operations, and of calls that wait for operations. Functions need the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_EVENTS_MESSAGE_CALLS_H
#define TARRY_JOB_CHECK_EVENTS_MESSAGE_CALLS_H

#include "job/check/events/call_events.h"
#include "job/check/events/comms.h"
#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"

#define ANY INT32_MIN /* source or tag */

struct message_description {
	struct followed_comm *comm;
	struct announced_comm *announced; /* its, or as partitioned messages know it */
	enum check_operation operation;
	uint32_t flags;
	int32_t peer, tag; /* or ANY */
	struct announced_data data;
	uint64_t buffer_needed, buffer_size; /* of a buffered send: bytes; 0: not known */
};

/* CHECK_CALL_STATUS_IGNORED, if the program does not want the status of the call; otherwise 0. */
uint32_t status_flags(const struct agent_call *call);

/* NULL: there is no memory. */
struct announced_call *message_call(const struct agent_call *call, const struct message_description *m);

/* A call that waits for operations; `what` tells apart what else its text depends on. */
struct announced_call *wait_call(const struct agent_call *call, uint32_t flags, const int64_t what[2]);

#endif
