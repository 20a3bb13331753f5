/* The writing side of check/protocol/unsent_ring.h: definitions of distinct calls and the ring of events, in memory that outlives the process.
 * Calls, types and communicators are numbered and written down when an event first names them; the service sends them from there. Functions need
 * the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_WIRE_UNSENT_EVENTS_H
#define TARRY_JOB_CHECK_WIRE_UNSENT_EVENTS_H

#include "check/protocol/unsent_ring.h"
#include "job/check/wire/announced.h"
#include "job/mpi/host.h"

#include <stdbool.h>

extern HIDDEN struct unsent_ring *unsent_events; /* NULL: not started */

/* False: there is no memory. The file is closed when the analyser has it. */
bool unsent_events_start(void);
extern HIDDEN int unsent_events_fd; /* -1: none, or closed */

/* Changes with each event, but for those of push_window_in_segment, and when distinct calls end. */
extern HIDDEN uint32_t event_segment;
/* Called before such an event; NULL: nothing. */
extern HIDDEN void (*held_events)(void);

/* Operations (messages.h) are numbered from 1; 0: none. */

/* The operation of the call begins. Returns its number; 0: no memory. */
uint64_t push_event(struct announced_call *call);
/* Likewise, with the hash of the data of a send that is CHECK_CALL_CONTENT. */
uint64_t push_event_with(struct announced_call *call, uint64_t hash);
/* The data that a receive received; of a broadcast, its number on its communicator instead of an operation. 0: nothing is to be concluded from the data
 * that the call sends. */
void push_content(struct announced_call *call, uint64_t operation, const struct message_content *content);
/* The call receives the message that this matched probe took. */
void push_receives(struct announced_call *call, uint64_t probe);
/* MPI did not accept the collective call. */
void push_rejected(struct announced_call *call);
/* enum event_change says what these mean. */
void push_takes(uint64_t operation, int32_t source, int32_t tag);
void push_waits(struct announced_call *call, const uint64_t *operations, uint32_t count);
void push_completes(uint64_t operation);
void push_drops(uint64_t operation, bool never_happened);
/* False: nobody hears of it. */
bool push_window(struct announced_call *call, uint64_t first);
/* Likewise, without an effect on `event_segment` and `held_events`. `is_over`: the thread is not in the call. */
bool push_window_in_segment(struct announced_call *call, uint64_t first, bool is_over);
/* Likewise, of something that is over. */
bool push_window_over(struct announced_call *call, uint64_t number);
/* A communicator, window or file was created, or has ended and no event names it. */
void push_comm(struct announced_comm *comm);
void push_ends(struct announced_comm *comm);

enum { PUSHED_WAITS_MAX = UNSENT_WORDS / 4 }; /* operations that one wait can name */

struct agent_thread;

/* The thread is gone, and so has left its last call. With the lock of the process. */
void thread_ended(const struct agent_thread *thread);

/* The call that the process made last is over. */
static inline void call_left(void)
{
	if (LIKELY(unsent_events))
		RELAXED_STORE(unsent_events->current_call,
		              RELAXED_LOAD(unsent_events->current_call) & ~(uint64_t)1);
}

/* The call of an event. */
struct announced_call *numbered_call(uint64_t number);
/* There is room for a few more definitions of the usual size. */
bool definitions_have_room(void);
/* Numbers start again: the ring is empty and everything sent. */
void definitions_forget(void);

#endif
