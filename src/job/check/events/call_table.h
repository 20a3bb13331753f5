/* Distinct calls: a key contains everything that other processes see of a call, and each key has one struct
 * announced_call. The table is bounded: when it is full, it forgets all calls except those of pending
 * requests. Functions need the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_EVENTS_CALL_TABLE_H
#define TARRY_JOB_CHECK_EVENTS_CALL_TABLE_H

#include "job/check/events/call_events.h"
#include "job/check/events/comms.h"
#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"

/* A new call with this key, zeroed, with the text of the arguments; NULL: out of memory. The caller fills in
 * `call`, `comm` and data, and then counts references with announced_call_hold. */
struct announced_call *announced_call_new(const struct agent_call *call, const int64_t *key, uint32_t words,
                                          uint64_t hash);
/* The known call with this key, or a new one. `seed` differs between kinds of calls. */
struct announced_call *announced_call_get(const struct agent_call *call, const int64_t *key, uint32_t words,
                                          uint64_t seed, bool *is_new);
void announced_call_hold(struct announced_call *announced);
/* Makes room for the definition of a communicator. */
void announced_calls_make_room(void);

/* Calls of point-to-point operations, and calls that wait for operations. */

#define ANY INT32_MIN /* source or tag */

struct message_description {
	struct followed_comm *comm;
	struct announced_comm *announced; /* the communicator, or its identity for partitioned messages */
	enum check_operation operation;
	uint32_t flags;
	int32_t peer, tag; /* or ANY */
	struct announced_data data;
	uint64_t buffer_needed, buffer_size; /* of a buffered send, in bytes; 0: unknown */
};

/* CHECK_CALL_STATUS_IGNORED if the program ignores the status of the call; otherwise 0. */
uint32_t status_flags(const struct agent_call *call);

/* NULL: out of memory. */
struct announced_call *message_call(const struct agent_call *call, const struct message_description *m);

/* A call that waits for operations; `what` distinguishes other influences on its text. */
struct announced_call *wait_call(const struct agent_call *call, uint32_t flags, const int64_t what[2]);

#endif
