/* Whether messages arrive as they were sent (`--buffers=all`). The event of a send has a hash of its data. When a receive is
 * complete, the hash of the received data follows. The analyser compares the two of each message. Every receive gets its content, if only one that is
 * not known, so that the analyser does not wait for it.
 *
 * Broadcasts are numbered on their communicator. Each process tells what it sent, as the root, or received.
 *
 * A hash is of the data as MPI sends it, element by element without gaps: datatypes of sender and receiver may differ. With the lock, if threads may
 * come together. */
#ifndef TARRY_JOB_CHECK_BUFFERS_MESSAGE_CONTENTS_H
#define TARRY_JOB_CHECK_BUFFERS_MESSAGE_CONTENTS_H

#include "job/check/objects/byte_runs.h"
#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"
#include "job/mpi/flavour.h"

#pragma GCC visibility push(hidden)

/* Set by buffer_contents_init. */
extern bool message_contents_wanted;
/* Whether those of messages that begin now are compared: several threads may send in another order than their events tell. */
bool message_contents_are_compared(void);

/* Of a send, or of the first `limit` bytes of a receive, by the call's arguments. Negative: how many came is not known. */
struct message_content content_of_call(const struct agent_call *call, bool sends, int64_t limit);
/* `in_order`: its runs are in the order in which MPI sends the data. */
struct message_content content_of_pattern(const struct byte_pattern *pattern, bool in_order, int64_t limit);
/* What a call without a request has received. */
struct message_content content_received(const struct agent_call *call);

#pragma GCC visibility pop

#endif
