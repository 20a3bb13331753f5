/* Entry points of GCC's OpenMP runtime, libgomp: compiled programs call them for parallel regions and barriers. They have two listeners:
 * the recorder (base/openmp_hooks.h) and the checker, which learns the order of threads from them (base/thread_hooks.h). Without
 * listeners they jump to the runtime.
 *
 * A process may have several copies of the runtime, because Python modules bring their own. Each caller still gets the copy that it would
 * get without Tarry, and only the program's copy is recorded. LLVM's libomp also has these functions, but is observed through its interface
 * for tools (openmp_tool.c), except for critical sections and locks, which are recorded here. */
#ifndef TARRY_JOB_PRELOAD_OPENMP_CALLS_H
#define TARRY_JOB_PRELOAD_OPENMP_CALLS_H

#include "base/openmp_hooks.h"
#include "base/thread_hooks.h"

extern struct openmp_link openmp_link __attribute__((visibility("hidden")));

/* For the checker: everything that this thread has done happens before a later openmp_learn() of the same object. */
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

/* For the checker: a task that the program created runs wherever a thread waits. */
static inline void openmp_note_task(void)
{
	if (threads_are_checked())
		tarry_thread_hooks.is_unseen = true;
}

/* One object for all barriers. */
extern const char openmp_barriers __attribute__((visibility("hidden")));

/* Counts unloaded libraries: then addresses may be reused. */
extern uint32_t openmp_unloads __attribute__((visibility("hidden")));

#endif
