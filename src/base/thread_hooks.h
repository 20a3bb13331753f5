/* The interface between the checker's agent, which follows the order of threads
 * (src/job/check/wire/thread_order.h), and libtarry-thread-calls.so, a small preloaded library that wraps functions of pthreads
 * and semaphores (src/job/thread_calls). Only programs compiled by `tarry cc` are followed.
 *
 * Entry points of OpenMP are in libtarry-preload.so (src/job/preload/openmp_calls.c). They report through the other library:
 * its symbols are weak, and absent if nothing is checked. */
#ifndef TARRY_BASE_THREAD_HOOKS_H
#define TARRY_BASE_THREAD_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

#define THREAD_HOOKS_LIBRARY "libtarry-thread-calls.so"
#define THREAD_HOOKS_SYMBOL "tarry_thread_hooks"

/* The functions are NULL until MPI is initialized. */
struct thread_hooks {
	/* This thread creates another one, which then begins; both calls have the same object. */
	void (*create)(const void *object);
	void (*begin)(const void *object);
	/* Everything that this thread did so far happens before a later `learn` of the same object. */
	void (*publish)(const void *object, const void *site); /* `site`: return address of the call */
	void (*learn)(const void *object, const void *site);
	bool is_unseen;  /* functions that are not followed order the threads */
	bool sees_tasks; /* of LLVM's OpenMP, through OMPT */
};

#define IF_CHECKED __attribute__((weak, visibility("default")))
extern IF_CHECKED struct thread_hooks tarry_thread_hooks;
/* As the hooks, for threads of the program. */
IF_CHECKED void tarry_thread_publish(const void *object, const void *site);
IF_CHECKED void tarry_thread_learn(const void *object, const void *site);
/* The calling thread is one of the program. */
IF_CHECKED void tarry_thread_follow(void);

static inline bool threads_are_checked(void)
{
	return &tarry_thread_hooks != NULL;
}

#endif
