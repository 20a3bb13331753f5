/* Compares received data with sent data (`--buffers=all`). The event of a send has a hash of its data. When a receive is complete, the hash of the
 * received data follows. The analyser compares both hashes. Every receive sends its hash, if only an unknown one, so the analyser never waits
 * for it.
 *
 * Broadcasts are numbered on their communicator. Each process sends the hash of its data.
 *
 * The hash covers the data in the order in which MPI sends it, without gaps: datatypes of sender and receiver may differ. Functions need the lock
 * under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_BUFFERS_MESSAGE_CONTENTS_H
#define TARRY_JOB_CHECK_BUFFERS_MESSAGE_CONTENTS_H

#include "job/check/objects/byte_runs.h"
#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

/* Set by buffer_contents_init. */
extern HIDDEN bool message_contents_wanted;
/* True if messages that begin now are compared. Not with several threads: their messages and events may be
 * in a different order. */
bool message_contents_are_compared(void);

/* Of a send, or of the first `limit` bytes of a receive, from the call's arguments. Negative: the
 * received number is unknown. */
struct message_content content_of_call(const struct agent_call *call, bool sends, int64_t limit);
/* `in_order`: its runs are in the order in which MPI sends the data. */
struct message_content content_of_pattern(const struct byte_pattern *pattern, bool in_order, int64_t limit);
/* The data that a call without a request has received. */
struct message_content content_received(const struct agent_call *call);

#endif
