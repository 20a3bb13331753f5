/* Between the checker's agent, which follows the order of threads (src/job/check/wire/thread_order.h), and a small preloaded library that stands before functions
 * of threads (src/job/thread_calls): pthreads, semaphores, OpenMP. Only programs compiled by `tarry cc` are followed. */
#ifndef TARRY_BASE_THREAD_HOOKS_H
#define TARRY_BASE_THREAD_HOOKS_H

#include <stdbool.h>

#define THREAD_HOOKS_LIBRARY "libtarry-thread-calls.so"
#define THREAD_HOOKS_SYMBOL "tarry_thread_hooks"

/* The functions are NULL until MPI has begun. */
struct thread_hooks {
	/* This thread creates another one, which begins then; both have the same object. */
	void (*create)(const void *object);
	void (*begin)(const void *object);
	/* Whoever learns of the object later knows all that this thread did so far. */
	void (*publish)(const void *object, const void *site); /* `site`: of the call, a return address */
	void (*learn)(const void *object, const void *site);
	bool is_unseen;  /* threads are ordered by functions that are not followed */
	bool sees_tasks; /* of LLVM's OpenMP, by OMPT */
};

#endif
