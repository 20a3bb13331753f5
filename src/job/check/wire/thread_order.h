/* The order of what threads of this process do, in programs that `tarry cc` has compiled: a vector clock for each thread. A preloaded library tells which functions of pthreads and
 * OpenMP order threads (base/thread_hooks.h), the program's own code tells of atomic operations (base/access_hooks.h), and calls of MPI order those of all threads:
 * a message from one thread to another may do so.
 *
 *	struct thread_moment now = thread_order_now();
 *	…
 *	thread_order_knows(&now);          whether all that happened until `now` comes before what the calling thread does
 *
 * Each thread remembers the last bytes that each line has accessed. Order that is not seen would make false races: thread_order_is_seen() is false in programs that may have some.
 * Objects share clocks: this adds order, and never takes any away. */
#ifndef TARRY_JOB_CHECK_WIRE_THREAD_ORDER_H
#define TARRY_JOB_CHECK_WIRE_THREAD_ORDER_H

#include "job/mpi/host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_moment {
	uint32_t thread; /* its number here */
	uint32_t count;  /* 0: not known, which is before all */
};

/* Bytes that one line has accessed, one after the other. */
struct recent_access {
	const void *site; /* return address; NULL: none */
	uintptr_t first, end;
	uint32_t count; /* of the thread's clock */
	bool is_write;
};

typedef void access_seen(uintptr_t address, size_t bytes, bool is_write, const void *site);

/* MPI has begun in a program that `tarry cc` has compiled. `each` gets the accesses of all threads as soon as there are several. */
void thread_order_start(access_seen *each);
/* Whether the program has several threads, and all that orders them is known. */
bool thread_order_is_seen(void);
extern HIDDEN bool thread_order_has_threads;

struct thread_moment thread_order_now(void);
bool thread_order_knows(const struct thread_moment *moment);

/* The calling thread enters or leaves a call of MPI. */
void thread_order_enters(void);
void thread_order_leaves(void);

/* Before an atomic operation, or an access to a volatile variable. */
void thread_order_synchronises(uintptr_t address, bool may_write);

/* The calling thread accesses memory outside of MPI. */
void thread_order_accesses(uintptr_t address, size_t bytes, bool is_write, const void *site);
/* Memory was freed: others may get it. */
void thread_order_forget(uintptr_t first, uintptr_t end);
/* The latest access of another thread to these bytes that does not come before what the calling thread does. */
bool thread_order_find(uintptr_t first, uintptr_t end, bool only_writes, struct recent_access *found);

#endif
