/* One-sided communication as events for the first analyser: synchronisations, and accesses with the bytes that they touch
 * (enum window_operation). Functions need the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_WINDOWS_WINDOW_EVENTS_H
#define TARRY_JOB_CHECK_WINDOWS_WINDOW_EVENTS_H

#include "job/check/windows/local_accesses.h"
#include "job/check/windows/window_epochs.h"

struct local_access {
	const struct interrupted_stack *stack;
	bool is_write;
	bool is_once;    /* not in a loop */
	bool is_watched; /* the compiler reports all accesses */
	int32_t target;  /* the rank that owns the memory */
	int64_t first;   /* byte of the window */
	int64_t bytes;
};

/* Before a call without problems. */
void window_event_before(struct agent_call *call, struct checked_window *window);
/* After a call that MPI has accepted. A synchronisation with problems is reported only now, an access with problems never. */
void window_event_after(struct agent_call *call, struct checked_window *window);

/* After comms_after(): reports the memory of a new window in this process. */
void window_made(const struct agent_call *call, struct checked_window *window);
/* The program has executed atomic operations in shared memory. */
void window_event_synchronised(struct checked_window *window);
/* The program itself has accessed its memory of the window. */
void window_event_local(struct checked_window *window, const struct local_access *access);

/* A buffer of a call in the window's memory (window_buffers.h). */
struct window_buffer {
	const struct agent_call *call;
	bool is_written;
	int32_t rank;   /* the rank that owns the memory */
	int64_t target; /* the target of a one-sided operation, whose completion ends the use; -1: none */
	const struct byte_runs *runs; /* in that memory */
};
/* `now`: reports the buffer; otherwise only describes it. NULL: it is not reported. */
struct announced_call *window_event_buffer(struct checked_window *window, const struct window_buffer *buffer,
                                           bool now);

#endif
