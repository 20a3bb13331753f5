/* Shared by the preloaded functions: forwarding of calls, and the hooks set by the agent. */
#ifndef TARRY_JOB_SYSTEM_CALLS_FORWARDING_H
#define TARRY_JOB_SYSTEM_CALLS_FORWARDING_H

#include "base/page_hooks.h"

#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)

/* The next definition of this function. The C library always has it; a repeated lookup is harmless. */
#define NEXT(function) \
	({ \
		static __typeof__(function) *next; \
		if (__builtin_expect(!next, 0)) \
			next = (__typeof__(next))dlsym(RTLD_NEXT, #function); \
		next; \
	})

extern struct page_hooks tarry_page_hooks;

#endif
