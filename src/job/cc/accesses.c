/* The shadow, and the functions that compilers call for loads and stores without an inline test of the shadow
 * (-fsanitize=thread). */
#include "job/cc/runtime.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void access_report(uintptr_t address, size_t bytes, bool is_write, const void *site)
{
	void (*access)(uintptr_t, size_t, bool, const void *) = access_hooks_place()->access;

	if (access)
		access(address, bytes, is_write, site);
}

void access_seen(uintptr_t address, size_t bytes, bool is_write, const void *site)
{
	void (*each)(uintptr_t, size_t, bool, const void *) = access_hooks_place()->each;

	if (*shadow_of(address) | *shadow_of(address + bytes - 1))
		access_report(address, bytes, is_write, site);
	if (each)
		each(address, bytes, is_write, site);
}

bool access_is_watched(uintptr_t address, size_t bytes)
{
	const uint8_t *at = shadow_of(address), *last = shadow_of(address + bytes - 1);

	for (; at <= last && (uintptr_t)at % sizeof(uint64_t); at++)
		if (*at)
			return true;
	for (; at + sizeof(uint64_t) <= last + 1; at += sizeof(uint64_t)) {
		uint64_t word;

		__builtin_memcpy(&word, at, sizeof word);
		if (word)
			return true;
	}
	for (; at <= last; at++)
		if (*at)
			return true;
	return false;
}

/* Without a shadow, the program crashes at its next access, so the reason is printed first. */
static void explain(void)
{
	static const char text[] =
		"tarry: a program compiled by 'tarry cc' needs some terabytes of address space for its shadow, and got none: raise 'ulimit -v', set vm.overcommit_memory "
		"to 0 or 1, or compile without 'tarry cc'\n";
	const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);

	(void)written;
}

static bool map_at(void *place, size_t bytes)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
	void *mapped = mmap(place, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);

	if (mapped == place)
		madvise(place, bytes, MADV_DONTDUMP);
	else if (mapped != MAP_FAILED) /* an older kernel ignores MAP_FIXED_NOREPLACE */
		munmap(mapped, bytes);
	return mapped == place;
}

/* Runs before all constructors of the program or library that contains this code. The first copy
 * maps the shadow for all copies. */
__attribute__((constructor(101))) static void map_shadow(void)
{
	const int saved = errno;
	struct access_hooks *hooks = access_hooks_place();

	if (map_at(shadow_of(0), SHADOW_BYTES) && map_at(hooks, HOOKS_BYTES))
		hooks->magic = ACCESS_HOOKS_MAGIC;
	else if (!access_hooks_are_there())
		explain();
	errno = saved;
}

/* NOLINTBEGIN(bugprone-reserved-identifier): compilers name them */

#define CALLS(kind, is_write, bytes) \
	void __tsan_##kind##bytes(uintptr_t address) \
	{ \
		((bytes) > SHADOW_GRANULE ? access_check : granule_check)(address, bytes, is_write, \
		                                                          RETURN_ADDRESS); \
	} \
	void __tsan_unaligned_##kind##bytes(uintptr_t address) \
	{ \
		access_check(address, bytes, is_write, RETURN_ADDRESS); \
	} \
	void __tsan_volatile_##kind##bytes(uintptr_t address) \
	{ \
		access_check(address, bytes, is_write, RETURN_ADDRESS); \
		synchronise(address, is_write); \
	} \
	void __tsan_unaligned_volatile_##kind##bytes(uintptr_t address) \
	{ \
		access_check(address, bytes, is_write, RETURN_ADDRESS); \
		synchronise(address, is_write); \
	}
#define CALLS_OF_ALL_SIZES(kind, is_write) \
	CALLS(kind, is_write, 1) \
	CALLS(kind, is_write, 2) \
	CALLS(kind, is_write, 4) \
	CALLS(kind, is_write, 8) \
	CALLS(kind, is_write, 16) \
	void __tsan_##kind##_range(void *start, size_t bytes) \
	{ \
		range_check(start, bytes, is_write, RETURN_ADDRESS); \
	}

CALLS_OF_ALL_SIZES(read, false)
CALLS_OF_ALL_SIZES(write, true)

/* Not needed: starts of files and functions, and accesses to virtual tables. */
UNUSED(__tsan_init)
UNUSED(__tsan_func_entry)
UNUSED(__tsan_func_exit)
UNUSED(__tsan_vptr_read)
UNUSED(__tsan_vptr_update)

/* NOLINTEND(bugprone-reserved-identifier) */
