/* Sees loads and stores of code that `tarry cc` has compiled (base/access_hooks.h): to buffers that MPI uses, and to windows (windows/watched_windows.h).
 *
 *	watch_lock();
 *	watch_buffer(buffer);                          its bytes are marked: accesses to them call the agent
 *	watch_unlock();
 *	…
 *	watched_buffer_report(call, buffer);           what was seen, when `call` has completed the operation
 *
 * The first load and the first store that the operation forbids are kept of each buffer. Accesses inside of a call of MPI are not looked at: callbacks get
 * buffers from MPI. Any thread may access memory at any time: whatever changes the sets of buffers and windows, or marks, does so with watch_lock(). */
#ifndef TARRY_JOB_CHECK_BUFFERS_WATCHED_MEMORY_H
#define TARRY_JOB_CHECK_BUFFERS_WATCHED_MEMORY_H

#include "job/check/buffers/active_buffers.h"
#include "job/mpi/host.h"

/* Windows: the layer above. */
struct watched_windows {
	/* An access, with the lock. False: no window has any of these bytes. `is_kept`: marks have to stay, because of a buffer. */
	bool (*access)(uintptr_t address, size_t bytes, bool is_write, const void *site, bool is_kept);
	/* Marks of these bytes were cleared: sets those of windows again. */
	void (*mark)(int64_t first, int64_t end);
	/* An atomic operation, or an access to a volatile variable. */
	void (*synchronise)(uintptr_t address);
};

/* The program has the runtime of `tarry cc`. */
extern bool watched_memory_wanted;
/* MPI has begun. Libraries may have called MPI before, when the program had not begun. */
void watched_memory_start(void);
void watched_memory_has_windows(const struct watched_windows *windows);

void watch_lock(void);
void watch_unlock(void);

/* Marks bytes, or clears their marks. */
void watch_mark(int64_t first, int64_t end, uint8_t value);

void watch_buffer(const struct active_buffer *buffer);
/* The operation begins: looks for accesses of other threads that are not ordered before it. */
void watch_earlier(struct active_buffer *buffer);
/* It is not in use any more. */
void unwatch_buffer(const struct active_buffer *buffer);
/* True: the program changed it. Forgets what was seen. */
bool watched_buffer_report(struct agent_call *call, struct active_buffer *buffer);
void watched_buffer_forget(struct active_buffer *buffer);

#endif
