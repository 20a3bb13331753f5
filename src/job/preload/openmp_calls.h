/* Entry points of GCC's OpenMP runtime, libgomp: programs call them where the compiler found parallel regions and barriers. They have two
 * listeners: the recorder (base/openmp_hooks.h), and the checker, for which they order threads (base/thread_hooks.h). Without
 * listeners they jump to the runtime.
 *
 * A process may have several copies of the runtime, as Python modules bring their own. Then each caller gets the copy that it would have got
 * without us, and only the program's is recorded. LLVM's libomp serves the same functions. It has an interface for tools instead
 * (openmp_tool.c); only its critical sections and locks are recorded here. */
#ifndef TARRY_JOB_PRELOAD_OPENMP_CALLS_H
#define TARRY_JOB_PRELOAD_OPENMP_CALLS_H

#include "base/openmp_hooks.h"
#include "base/thread_hooks.h"

extern struct openmp_link openmp_link __attribute__((visibility("hidden")));

/* For the checker: what this thread did so far happens before a later openmp_learn() of the same object. */
static inline void openmp_publish(const void *object, const void *site)
{
	if (threads_are_checked())
		tarry_thread_publish(object, site);
}

static inline void openmp_learn(const void *object, const void *site)
{
	if (threads_are_checked())
		tarry_thread_learn(object, site);
}

/* A task that the program created: it runs wherever a thread waits. */
static inline void openmp_note_task(const struct openmp_hooks *hooks)
{
	if (threads_are_checked())
		tarry_thread_hooks.is_unseen = true;
	if (hooks)
		hooks->task();
}

/* One object for all barriers. */
extern const char openmp_barriers __attribute__((visibility("hidden")));

/* Counts unloaded libraries: then addresses may be reused. */
extern uint32_t openmp_unloads __attribute__((visibility("hidden")));

#endif
