/* libtarry-thread-calls.so, preloaded by `tarry check`: functions that synchronize threads report the
 * resulting order to the agent (base/thread_hooks.h). In programs not compiled by `tarry cc`, and before MPI is
 * initialized, they only forward their calls. */
#ifndef TARRY_JOB_THREAD_CALLS_THREAD_CALLS_H
#define TARRY_JOB_THREAD_CALLS_THREAD_CALLS_H

#include "base/thread_hooks.h"

#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))

/* The next definition of this function. A repeated lookup is harmless. */
#define NEXT(function) \
	({ \
		static __typeof__(function) *next; \
		if (__builtin_expect(!next, 0)) \
			next = (__typeof__(next))dlsym(RTLD_NEXT, #function); \
		next; \
	})

/* Whether this is a thread of the program, not one of MPI or of the agent. */
extern _Thread_local bool is_of_program __attribute__((tls_model("initial-exec")));

#define HERE __builtin_return_address(0)

static inline void publish(const void *object, const void *site)
{
	if (__builtin_expect(tarry_thread_hooks.publish != 0, 0) && is_of_program)
		tarry_thread_hooks.publish(object, site);
}

static inline void learn(const void *object, const void *site)
{
	if (__builtin_expect(tarry_thread_hooks.learn != 0, 0) && is_of_program)
		tarry_thread_hooks.learn(object, site);
}

#endif
