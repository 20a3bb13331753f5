/* The runtime of programs compiled by `tarry cc` (base/access_hooks.h). It has no state: each program and
 * library has its own copy, and all use the same shadow.
 *
 *	access_check(address, bytes, true, RETURN_ADDRESS);      before a store */
#ifndef TARRY_JOB_CC_RUNTIME_H
#define TARRY_JOB_CC_RUNTIME_H

#include "base/access_hooks.h"

#define RETURN_ADDRESS __builtin_return_address(0)
#define UNLIKELY(condition) __builtin_expect(condition, 0)

/* A function that compilers call and that does nothing here. */
#define UNUSED(name) \
	void name(void) \
	{ \
	}

/* Reports an access; some of its bytes have a shadow. */
void access_report(uintptr_t address, size_t bytes, bool is_write, const void *site);

/* The same, but possibly without a shadow: access_hooks.each gets all accesses. */
void access_seen(uintptr_t address, size_t bytes, bool is_write, const void *site);

/* The program will free this memory. */
void memory_freed(void *memory);

bool access_is_watched(uintptr_t address, size_t bytes);

/* For a few bytes: tests the first and the last one. The rare case is a single call, so callers need no
 * stack frame. */
static inline void access_check(uintptr_t address, size_t bytes, bool is_write, const void *site)
{
	if (UNLIKELY(*shadow_of(address) | *shadow_of(address + bytes - 1) |
	             (access_hooks_place()->each != 0)))
		access_seen(address, bytes, is_write, site);
}

/* For bytes within one granule, such as an aligned variable. */
static inline void granule_check(uintptr_t address, size_t bytes, bool is_write, const void *site)
{
	if (UNLIKELY(*shadow_of(address) | (access_hooks_place()->each != 0)))
		access_seen(address, bytes, is_write, site);
}

/* For any number of bytes. */
static inline void range_check(const void *start, size_t bytes, bool is_write, const void *site)
{
	if (bytes && UNLIKELY(access_is_watched((uintptr_t)start, bytes)))
		access_report((uintptr_t)start, bytes, is_write, site);
	if (bytes && UNLIKELY(access_hooks_place()->each != 0))
		access_hooks_place()->each((uintptr_t)start, bytes, is_write, site);
}

/* Before an operation that may synchronize threads. */
static inline void synchronise(uintptr_t address, bool may_write)
{
	if (UNLIKELY(access_hooks_place()->synchronise != 0))
		access_hooks_place()->synchronise(address, may_write);
}

#endif
