/* The writing side of check/protocol/kept_events.h: definitions of distinct calls and the ring of events, in memory that outlives the process.
 * Calls, types and communicators are numbered and written down when an event first names them; the service sends them from there. With the lock, if
 * threads may come together. */
#ifndef TARRY_JOB_CHECK_WIRE_UNSENT_EVENTS_H
#define TARRY_JOB_CHECK_WIRE_UNSENT_EVENTS_H

#include "check/protocol/kept_events.h"
#include "job/check/wire/announced.h"
#include "job/mpi/host.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

extern struct kept_events *kept; /* NULL: not started */

/* False: there is no memory. The file is closed when the analyser has it. */
bool kept_start(void);
extern int kept_fd; /* -1: none, or closed */

/* Operations of the course (messages.h) are numbered from 1; 0: none. */

/* The operation of the call begins, for matching and the course. Gives its number; 0: there is no memory. */
uint64_t kept_event(struct announced_call *call);
/* For the course alone: matching hears of it later, or never. */
uint64_t kept_begins(struct announced_call *call);
/* For matching alone: an event, also of a receive with a wildcard whose message is known now; and one that never happened. */
void kept_matches(struct announced_call *call);
void kept_wildcard(struct announced_call *call, int32_t source, int32_t tag, int32_t source_in_world,
                   uint32_t ticket);
void kept_cancelled(struct announced_call *call);
/* Likewise, with the hash of what a send sends, or the ticket of a receive: of calls that are CHECK_CALL_CONTENT. */
uint64_t kept_event_with(struct announced_call *call, uint64_t number);
void kept_matches_with(struct announced_call *call, uint64_t number);
/* What the receive with this ticket received. Ticket 0: nothing is to be concluded from what the call sends. */
void kept_content(struct announced_call *call, uint32_t ticket, int32_t peer_in_world,
                  const struct message_content *content);
/* For the course: enum event_change says what they mean. */
void kept_takes(uint64_t operation, int32_t source, int32_t tag);
void kept_waits(struct announced_call *call, const uint64_t *operations, uint32_t count);
void kept_completes(uint64_t operation);
void kept_drops(uint64_t operation, bool never_happened);
/* False: nobody hears of it. */
bool kept_window(struct announced_call *call, uint64_t first);
/* Likewise, of something that is over: the thread is not in the call. */
void kept_window_over(struct announced_call *call, uint64_t number);
/* A communicator, window or file came into being, or has ended and nothing names it any more. */
void kept_comm(struct announced_comm *comm);
void kept_ends(struct announced_comm *comm);

enum { KEPT_WAITS_MAX = KEPT_WORDS / 4 }; /* operations that one wait can name */

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
