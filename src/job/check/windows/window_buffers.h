/* Buffers of calls in the memory of a window: MPI reads or writes the window there. The first
 * analyser gets the same events as for loads and stores of the program, with all bytes
 * (WINDOW_LOADED, WINDOW_STORED).
 *
* Buffers that a call reads are reported before the call. Buffers that a blocking call writes are reported
 * after it, so that the order of its messages also orders these accesses. Buffers of a request are reported
 * when it starts. Buffers of one-sided operations are in use until the operation is complete at the origin.
 *
* Memory of a window means this process's own memory, including attached memory, and in a shared window the
 * memory of all members. Functions need the lock under MPI_THREAD_MULTIPLE, except window_buffers_after(). */
#ifndef TARRY_JOB_CHECK_WINDOWS_WINDOW_BUFFERS_H
#define TARRY_JOB_CHECK_WINDOWS_WINDOW_BUFFERS_H

#include "job/check/windows/window_epochs.h"

/* A window was created, and its memory is known. */
void window_buffers_begin(struct checked_window *window);
/* MPI_Win_attach or MPI_Win_detach has returned. */
void window_buffers_attach(const struct agent_call *call, struct checked_window *window);
/* Before the window ends. */
void window_buffers_end(struct checked_window *window);

/* After the events of the call were pushed. */
void window_buffers_after(const struct agent_call *call, int rc);

#endif
