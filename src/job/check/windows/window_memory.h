/* The program's memory of a window must exist until MPI_Win_free returns (window.memory-gone). A heap block is
 * checked when it is freed (base/page_hooks.h). Local variables and mapped memory are checked in calls on the
 * window: a variable of a function that has returned is below the program's stack pointer, or in another frame
 * than before.
 *
 * Functions need the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_WINDOWS_WINDOW_MEMORY_H
#define TARRY_JOB_CHECK_WINDOWS_WINDOW_MEMORY_H

#include "job/check/windows/window_epochs.h"

/* A window was created. `next` iterates over all windows; `position` begins with 0. */
typedef struct checked_window *next_window(uint32_t *position);
void window_memory_begin(const struct agent_call *call, struct checked_window *window, next_window *next);
/* Before a call on the window. */
void window_memory_check(struct agent_call *call, struct checked_window *window);

#endif
