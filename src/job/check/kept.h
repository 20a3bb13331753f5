/* The writing side of check/protocol/kept_events.h: definitions of distinct calls and the ring of events, in memory that outlives the process.
 * Calls, types and communicators are numbered and written down when an event first names them; the service sends them from there. With the lock, if
 * threads may come together. */
#ifndef TARRY_JOB_CHECK_KEPT_H
#define TARRY_JOB_CHECK_KEPT_H

#include "check/protocol/kept_events.h"
#include "job/check/announced.h"
#include "job/mpi/host.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

extern struct kept_events *kept; /* NULL: not started */

/* False: there is no memory. The file is closed when the analyser has it. */
bool kept_start(void);
extern int kept_fd; /* -1: none, or closed */

/* Pushes an event. */
void kept_event(struct announced_call *call);
void kept_cancelled(struct announced_call *call);
void kept_wildcard(struct announced_call *call, int32_t source, int32_t tag, int32_t source_in_world);

/* The call that the process made last is over. */
static inline void kept_left(void)
{
	if (LIKELY(kept))
		RELAXED_STORE(kept->current_call, RELAXED_LOAD(kept->current_call) & ~(uint64_t)1);
}

/* The call of an event. */
struct announced_call *kept_call(uint64_t number);
/* There is room for a few more definitions of the usual size. */
bool kept_has_room(void);
/* Numbers start again: the ring is empty and everything sent. */
void kept_forget(void);

#pragma GCC visibility pop

#endif
