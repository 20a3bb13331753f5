/* The runtime of programs that `tarry cc` has compiled (base/access_hooks.h). It has no state: each program and library has its own copy, and all use the
 * same shadow.
 *
 *	access_check(address, bytes, true, RETURN_ADDRESS);      before a store */
#ifndef TARRY_JOB_CC_RUNTIME_H
#define TARRY_JOB_CC_RUNTIME_H

#include "base/access_hooks.h"

#define RETURN_ADDRESS __builtin_return_address(0)
#define UNLIKELY(condition) __builtin_expect(condition, 0)

/* A function that needs to do nothing. */
#define UNUSED(name) \
	void name(void) \
	{ \
	}

/* Some of these bytes have a shadow. */
void access_report(uintptr_t address, size_t bytes, bool is_write, const void *site);

/* The same, or each access is wanted. */
void access_seen(uintptr_t address, size_t bytes, bool is_write, const void *site);

/* The program will free it. */
void memory_freed(void *memory);

bool access_is_watched(uintptr_t address, size_t bytes);

/* Of few bytes: the first and the last one. All that is rare is in one function, so that its callers need no frame. */
static inline void access_check(uintptr_t address, size_t bytes, bool is_write, const void *site)
{
	if (UNLIKELY(*shadow_of(address) | *shadow_of(address + bytes - 1) |
	             (access_hooks_place()->each != 0)))
		access_seen(address, bytes, is_write, site);
}

/* Of bytes that lie in one granule, as those of variables do. */
static inline void granule_check(uintptr_t address, size_t bytes, bool is_write, const void *site)
{
	if (UNLIKELY(*shadow_of(address) | (access_hooks_place()->each != 0)))
		access_seen(address, bytes, is_write, site);
}

/* Of any number. */
static inline void range_check(const void *start, size_t bytes, bool is_write, const void *site)
{
	if (bytes && UNLIKELY(access_is_watched((uintptr_t)start, bytes)))
		access_report((uintptr_t)start, bytes, is_write, site);
	if (bytes && UNLIKELY(access_hooks_place()->each != 0))
		access_hooks_place()->each((uintptr_t)start, bytes, is_write, site);
}

/* Before an operation by which threads may wait for each other. */
static inline void synchronise(uintptr_t address, bool may_write)
{
	if (UNLIKELY(access_hooks_place()->synchronise != 0))
		access_hooks_place()->synchronise(address, may_write);
}

#endif
