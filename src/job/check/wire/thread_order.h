/* The happens-before order of the threads of this process, in programs compiled by `tarry cc`, with a vector
 * clock for each thread. A preloaded library reports functions of pthreads and OpenMP that order threads
 * (base/thread_hooks.h), and the program's own code reports atomic operations (base/access_hooks.h). MPI calls
 * order all threads, because a message from one thread to another may do so.
 *
 *	struct thread_moment now = thread_order_now();
 *	…
 *	thread_order_knows(&now);          true if everything up to `now` happens before the present
 *
* Each thread remembers the last bytes that each source line has accessed. Synchronisation that is not seen
 * would lead to false races, so thread_order_is_seen() is false in programs that may have such. Several objects
 * may share a clock, which adds order but never removes it. */
#ifndef TARRY_JOB_CHECK_WIRE_THREAD_ORDER_H
#define TARRY_JOB_CHECK_WIRE_THREAD_ORDER_H

#include "job/mpi/host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_moment {
	uint32_t thread; /* its number in this table */
	uint32_t count;  /* 0: unknown, and before everything */
};

/* Consecutive bytes that one source line has accessed. */
struct recent_access {
	const void *site; /* return address; NULL: none */
	uintptr_t first, end;
	uint32_t count; /* value of the thread's clock */
	bool is_write;
};

typedef void access_seen(uintptr_t address, size_t bytes, bool is_write, const void *site);

/* MPI has begun in a program compiled by `tarry cc`. `each` gets the accesses of all threads as soon as
 * there are several threads. */
void thread_order_start(access_seen *each);
/* True if the program has several threads, and everything that orders them is known. */
bool thread_order_is_seen(void);
extern HIDDEN bool thread_order_has_threads;

struct thread_moment thread_order_now(void);
bool thread_order_knows(const struct thread_moment *moment);

/* The calling thread enters or leaves an MPI call. */
void thread_order_enters(void);
void thread_order_leaves(void);

/* Before an atomic operation, or an access to a volatile variable. */
void thread_order_synchronises(uintptr_t address, bool may_write);

/* The calling thread accesses memory outside MPI. */
void thread_order_accesses(uintptr_t address, size_t bytes, bool is_write, const void *site);
/* Memory was freed: other threads may get it. */
void thread_order_forget(uintptr_t first, uintptr_t end);
/* The latest access of another thread to these bytes that is not ordered before the calling thread. */
bool thread_order_find(uintptr_t first, uintptr_t end, bool only_writes, struct recent_access *found);

#endif
