/* Between the checker's agent and programs that `tarry cc` has compiled: their loads and stores look at a shadow, one byte for each eight of the
 * program's memory, and call the runtime in the program (src/job/cc) where it is not 0. The agent marks buffers that MPI uses and windows there
 * (src/job/check/buffers/watched_memory.h).
 *
 * The runtime maps the shadow before the program begins, and the hooks at its end. Compilers have its address in the code that they make, so it is the
 * same in all programs: below all that systems map by themselves, and above programs that are linked to a fixed address. */
#ifndef TARRY_BASE_ACCESS_HOOKS_H
#define TARRY_BASE_ACCESS_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#if defined __aarch64__
#define SHADOW_START 0x1000000000
#define SHADOW_ADDRESS_BITS 48
#elif defined __x86_64__
#define SHADOW_START 0x7fff8000 /* fits into an instruction */
#define SHADOW_ADDRESS_BITS 47
#else
#error "no shadow for this processor: add its address, and the bits of the addresses of programs"
#endif

#define SHADOW_BYTES ((size_t)1 << (SHADOW_ADDRESS_BITS - SHADOW_SHIFT))

enum { SHADOW_SHIFT = 3, SHADOW_GRANULE = 1 << SHADOW_SHIFT, HOOKS_BYTES = 1 << 16 };

/* Values of the shadow. Compilers compare them as signed numbers: negative ones are reported for any access. They write others themselves, around
 * variables on the stack, and those mean nothing. */
#define SHADOW_CLEAR 0
#define SHADOW_WATCHED 0x80

#define ACCESS_HOOKS_MAGIC 0x6363797272617402 /* "\2tarrycc"; the first byte is the version */

struct access_hooks {
	uint64_t magic;
	/* The function that returns to `site` will access these bytes, and some of them have a shadow; NULL: nobody wants to know. */
	void (*access)(uintptr_t address, size_t bytes, bool is_write, const void *site);
	/* The same for each access of code that does not look at the shadow itself. */
	void (*each)(uintptr_t address, size_t bytes, bool is_write, const void *site);
	/* An atomic operation on this variable, or an access to it if it is volatile: threads may wait for each other by it. */
	void (*synchronise)(uintptr_t address, bool may_write);
	/* The program will free this memory. */
	void (*freed)(uintptr_t first, uintptr_t end);
	bool has_inline; /* some code looks at the shadow itself: of its atomic operations nothing is known */
};

static inline uint8_t *shadow_of(uintptr_t address)
{
	return (uint8_t *)((address >> SHADOW_SHIFT) + SHADOW_START);
}

static inline struct access_hooks *access_hooks_place(void)
{
	return (struct access_hooks *)(SHADOW_START + SHADOW_BYTES);
}

/* Whether the program has the runtime. */
static inline bool access_hooks_are_there(void)
{
	struct access_hooks *hooks = access_hooks_place();
	unsigned char resident;

	return mincore(hooks, 1, &resident) == 0 && hooks->magic == ACCESS_HOOKS_MAGIC;
}

#endif
