/* The program's memory of a window has to exist until MPI_Win_free returns: window.memory-gone. A block of the heap is seen when it is freed (base/page_hooks.h).
 * Local variables and mapped memory are looked at in the calls on the window: a variable of a function that has returned lies below the stack pointer
 * of the program, or in another frame than before.
 *
 * Functions need the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_WINDOWS_WINDOW_MEMORY_H
#define TARRY_JOB_CHECK_WINDOWS_WINDOW_MEMORY_H

#include "job/check/windows/window_epochs.h"

/* A window was made. `next` gives all windows, one after the other; `position` begins with 0. */
typedef struct checked_window *next_window(uint32_t *position);
void window_memory_begin(const struct agent_call *call, struct checked_window *window, next_window *next);
/* Before a call on it. */
void window_memory_check(struct agent_call *call, struct checked_window *window);

#endif
