/* The writing side of check/protocol/unsent_ring.h: definitions of distinct calls, and the ring of events, in
 * memory that outlives the process. Calls, types and communicators are numbered and stored when an event
 * first refers to them, and the service sends them from there. Functions need the lock under
 * MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_WIRE_UNSENT_EVENTS_H
#define TARRY_JOB_CHECK_WIRE_UNSENT_EVENTS_H

#include "check/protocol/unsent_ring.h"
#include "job/check/wire/announced.h"
#include "job/mpi/host.h"

#include <stdbool.h>

extern HIDDEN struct unsent_ring *unsent_events; /* NULL: not started */

/* False: out of memory. The file is closed when the analyser has it. */
bool unsent_events_start(void);
extern HIDDEN int unsent_events_fd; /* -1: none, or closed */

/* Changes with each event, except those of push_window_in_segment, and when distinct calls end. */
extern HIDDEN uint32_t event_segment;
/* Called before such an event; may be NULL. */
extern HIDDEN void (*held_events)(void);

/* Operations (messages.h) are numbered from 1; 0: none. */

/* The operation of the call begins. Returns its number; 0: out of memory. */
uint64_t push_event(struct announced_call *call);
/* The same, with the hash of the data of a send with CHECK_CALL_CONTENT. */
uint64_t push_event_with(struct announced_call *call, uint64_t hash);
/* The data of a complete receive. For a broadcast, `operation` is its number on its communicator; for a send,
 * 0: nothing can be concluded from the sent data. */
void push_content(struct announced_call *call, uint64_t operation, const struct message_content *content);
/* The call receives the message of this matched probe. */
void push_receives(struct announced_call *call, uint64_t probe);
/* MPI rejected the collective call. */
void push_rejected(struct announced_call *call);
/* enum event_change describes these. */
void push_takes(uint64_t operation, int32_t source, int32_t tag);
void push_waits(struct announced_call *call, const uint64_t *operations, uint32_t count);
void push_completes(uint64_t operation);
void push_drops(uint64_t operation, bool never_happened);
/* False: the access is not reported. */
bool push_window(struct announced_call *call, uint64_t first);
/* The same, without an effect on `event_segment` and `held_events`. `is_over`: the
 * thread has left the call. */
bool push_window_in_segment(struct announced_call *call, uint64_t first, bool is_over);
/* The same for a completed operation. */
bool push_window_over(struct announced_call *call, uint64_t number);
/* A communicator, window or file was created, or has ended and no event refers to it. */
void push_comm(struct announced_comm *comm);
void push_ends(struct announced_comm *comm);

enum { PUSHED_WAITS_MAX = UNSENT_WORDS / 4 }; /* maximum of operations of one wait */

struct agent_thread;

/* The thread is gone, and has left its last call. Needs the lock of the process. */
void thread_ended(const struct agent_thread *thread);

/* The last call of the process has returned. */
static inline void call_left(void)
{
	if (LIKELY(unsent_events))
		RELAXED_STORE(unsent_events->current_call,
		              RELAXED_LOAD(unsent_events->current_call) & ~(uint64_t)1);
}

/* The call of an event. */
struct announced_call *numbered_call(uint64_t number);
/* True if there is room for a few more definitions of the usual size. */
bool definitions_have_room(void);
/* Makes numbers start again. The ring must be empty, and everything sent. */
void definitions_forget(void);

#endif
