/* Loads and stores of the program in its own memory of windows, or in shared memory of other processes,
 * reported by code compiled by `tarry cc` (buffers/watched_memory.h). Between two calls of MPI, adjacent
 * accesses of the same source line are joined to runs of bytes, and analysers get an event for each run before
 * the second call (WINDOW_LOADED, WINDOW_STORED).
 *
* Bytes that were already read or written are marked in the shadow, and not reported again until that call.
 * After RUNS_MAX runs, further ones are not seen. After FLUSHES_MAX calls, bytes that were accessed are not
 * checked until the next synchronisation.
 *
 * Functions need the lock under MPI_THREAD_MULTIPLE. */
#ifndef TARRY_JOB_CHECK_WINDOWS_WATCHED_WINDOWS_H
#define TARRY_JOB_CHECK_WINDOWS_WATCHED_WINDOWS_H

#include "job/check/windows/window_epochs.h"

void watched_windows_init(void);
/* A window was created. False: the program was not compiled by `tarry cc`, or the window's memory is unknown. */
bool watched_window_begin(struct checked_window *window);
/* Memory was attached to a dynamic window. */
void watched_window_attach(struct checked_window *window, int64_t first, int64_t bytes);
void watched_window_detach(struct checked_window *window, int64_t first);
/* Before the window ends. */
void watched_window_end(struct checked_window *window);
/* A synchronisation has returned: later accesses are seen again. */
void watched_windows_again(void);
/* Before a call, without the lock: reports runs to analysers. */
void watched_windows_flush(void);

#endif
