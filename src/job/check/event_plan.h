/* What events need of the parameters of a function: where they are, found once from the table of calls. */
#ifndef TARRY_JOB_CHECK_EVENT_PLAN_H
#define TARRY_JOB_CHECK_EVENT_PLAN_H

#include "calls/parameters.h"
#include "check/protocol/messages.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

enum plan_kind {
	PLAN_UNKNOWN, /* nobody has looked yet */
	PLAN_NOTHING,
	PLAN_MESSAGE, /* point-to-point: `sends`, `receives`, or both */
	PLAN_PROBE,   /* leaves the message where it is */
	PLAN_MATCHED_PROBE,
	PLAN_MATCHED_RECEIVE,
	PLAN_COLLECTIVE,
	PLAN_WAIT, /* for requests; tests are nothing until requests are complete */
};

/* Positions of parameters; -1: there is none. */
struct message_parameters {
	int8_t peer, tag, count, type;
};

struct event_plan {
	uint8_t kind;  /* enum plan_kind */
	uint8_t flags; /* enum check_call_flag */
	bool sends, receives;
	bool partitioned;
	bool persistent;     /* events come with MPI_Start */
	bool ends;           /* an object that events name … */
	bool makes;          /* … or makes one */
	uint16_t wait_flags; /* of PLAN_WAIT: enum check_call_flag */
	uint8_t rule;        /* collective_data.h */
	int8_t comm, win, file, request, root, op, message, partitions, flag, many, status;
	struct message_parameters send, receive;
};

const struct event_plan *event_plan_make(enum call_id id);
extern struct event_plan event_plans[MPI_CALLS];

static inline const struct event_plan *event_plan(enum call_id id)
{
	const struct event_plan *plan = &event_plans[id];

	return __builtin_expect(__atomic_load_n(&plan->kind, __ATOMIC_ACQUIRE) != PLAN_UNKNOWN, 1)
	               ? plan
	               : event_plan_make(id);
}

#pragma GCC visibility pop

#endif
