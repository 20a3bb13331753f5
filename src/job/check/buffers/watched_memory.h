/* Follows loads and stores of code compiled by `tarry cc` (base/access_hooks.h) in buffers in use by MPI, and in
 * windows (windows/watched_windows.h).
 *
 *	watch_lock();
 *	watch_buffer(buffer);                          its bytes are marked: accesses to them call the agent
 *	watch_unlock();
 *	…
 *	watched_buffer_report(call, buffer);           after `call` has completed the operation
 *
* For each buffer, the first load and the first store that the operation forbids are kept. Accesses inside an
 * MPI call are ignored, because MPI gives buffers to callbacks. Any thread may access memory at any time, so
 * all changes of the sets of buffers and windows, and of marks, need watch_lock(). */
#ifndef TARRY_JOB_CHECK_BUFFERS_WATCHED_MEMORY_H
#define TARRY_JOB_CHECK_BUFFERS_WATCHED_MEMORY_H

#include "job/check/buffers/active_buffers.h"
#include "job/mpi/host.h"

/* Functions of the layer above, for windows. */
struct watched_windows {
	/* Called for an access, with the lock. False: no window contains any of these bytes. `is_kept`: marks
	 * must stay because of a buffer. */
	bool (*access)(uintptr_t address, size_t bytes, bool is_write, const void *site, bool is_kept);
	/* Marks of these bytes were cleared: sets those of windows again. */
	void (*mark)(int64_t first, int64_t end);
	/* Called for an atomic operation, or an access to a volatile variable. */
	void (*synchronise)(uintptr_t address);
};

/* The program was compiled by `tarry cc`. */
extern bool watched_memory_wanted;
/* MPI has begun, which may be before main(), in a library. */
void watched_memory_start(void);
void watched_memory_has_windows(const struct watched_windows *windows);

void watch_lock(void);
void watch_unlock(void);

/* Marks bytes, or clears their marks. */
void watch_mark(int64_t first, int64_t end, uint8_t value);

void watch_buffer(const struct active_buffer *buffer);
/* The operation begins: looks for accesses of other threads that are not ordered before it. */
void watch_earlier(struct active_buffer *buffer);
/* Marks of these bytes were cleared: sets those of buffers and windows again. */
void watch_again(int64_t first, int64_t end);
/* The buffer is no longer in use. */
void unwatch_buffer(const struct active_buffer *buffer);
/* Reports the accesses and forgets them. True: the program changed the buffer. */
bool watched_buffer_report(struct agent_call *call, struct active_buffer *buffer);
void watched_buffer_forget(struct active_buffer *buffer);

#endif
