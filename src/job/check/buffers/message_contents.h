/* Compares received data with sent data (`--buffers=all`). The event of a send contains a hash of its data. When a receive is complete, the hash of
 * the received data follows, and the analyser compares both. Every receive reports a hash, which may be "unknown", so that the analyser never waits
 * in vain.
 *
* Broadcasts are numbered on their communicator, and each process reports the hash of its data.
 *
* The hash covers the data in the order in which MPI sends it, without gaps, because sender and receiver may use different datatypes. Functions need
 * the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_BUFFERS_MESSAGE_CONTENTS_H
#define TARRY_JOB_CHECK_BUFFERS_MESSAGE_CONTENTS_H

#include "job/check/objects/byte_runs.h"
#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

/* Set by buffer_contents_init. */
extern HIDDEN bool message_contents_wanted;
/* True if messages that begin now are compared. They are not if there are several threads, whose messages and
 * events may be in different orders. */
bool message_contents_are_compared(void);

/* The data of a send, or the first `limit` bytes of a receive, from the call's arguments. `limit`
 * negative: the number of received bytes is unknown. */
struct message_content content_of_call(const struct agent_call *call, bool sends, int64_t limit);
/* `in_order`: its runs are in the order in which MPI sends the data. */
struct message_content content_of_pattern(const struct byte_pattern *pattern, bool in_order, int64_t limit);
/* The data that a call without a request has received. */
struct message_content content_received(const struct agent_call *call);

#endif
