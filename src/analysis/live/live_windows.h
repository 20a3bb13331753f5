/* Locks and epochs of windows in a live job: what has to be known of earlier calls to tell whom one of them waits for. Internal to the
 * live job.
 *
 *	live_windows_note(process, event.call, info);         for each call of CLASS_EPOCH that has ended
 *	live_windows_wait(&awaiting, add);                    calls `add` with the rank of each that the open call waits for
 *	live_windows_release(process);
 */
#ifndef TARRY_ANALYSIS_LIVE_LIVE_WINDOWS_H
#define TARRY_ANALYSIS_LIVE_LIVE_WINDOWS_H

#include "analysis/live/live_job.h"

void live_windows_note(struct live_process *process, const struct call *call, const struct call_info *info);
void live_windows_release(struct live_process *process);

/* An open call on a window, of the member `own` of a communicator of this size. */
struct live_window_wait {
	struct live_process *process;
	int64_t own, size;
	void *context;
	/* The process with this rank of the communicator; NULL: it is not seen. */
	struct live_process *(*member)(void *context, int64_t rank);
	void (*add)(void *context, int64_t rank);
};

void live_windows_wait(const struct live_window_wait *wait);

#endif
