/* The interface between the checker's agent and programs compiled by `tarry cc`. Their loads and stores test
 * a shadow, one byte for each eight bytes of the program's memory. Where it is not 0, they call the runtime
 * in the program (src/job/cc). The agent marks windows and buffers in use by MPI in the shadow
 * (src/job/check/buffers/watched_memory.h).
 *
 * The runtime maps the shadow before the program begins, with the hooks at the end of the shadow. Compilers
 * put its address into the generated code, so it is the same in all programs: below everything that systems
 * map by themselves, and above programs linked to a fixed address. */
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

/* Values of the shadow. Compilers compare them as signed numbers: any access to a negative one is reported.
 * Compilers write other values themselves, around variables on the stack; those have no meaning here. */
#define SHADOW_CLEAR 0
#define SHADOW_WATCHED 0x80

#define ACCESS_HOOKS_MAGIC 0x6363797272617402 /* "\2tarrycc"; the first byte is the version */

struct access_hooks {
	uint64_t magic;
	/* The function that returns to `site` will access these bytes, and some of them have a shadow. NULL:
	 * accesses are not wanted. */
	void (*access)(uintptr_t address, size_t bytes, bool is_write, const void *site);
	/* The same for each access of code that does not test the shadow itself. */
	void (*each)(uintptr_t address, size_t bytes, bool is_write, const void *site);
	/* An atomic operation on this variable, or an access to a volatile one: threads may
	 * synchronize with it. */
	void (*synchronise)(uintptr_t address, bool may_write);
	/* The program will free this memory. */
	void (*freed)(uintptr_t first, uintptr_t end);
	bool has_inline; /* some code tests the shadow itself; its atomic operations are unknown */
};

static inline uint8_t *shadow_of(uintptr_t address)
{
	return (uint8_t *)((address >> SHADOW_SHIFT) + SHADOW_START);
}

static inline struct access_hooks *access_hooks_place(void)
{
	return (struct access_hooks *)(SHADOW_START + SHADOW_BYTES);
}

/* True if the program contains the runtime. */
static inline bool access_hooks_are_there(void)
{
	struct access_hooks *hooks = access_hooks_place();
	unsigned char resident;

	return mincore(hooks, 1, &resident) == 0 && hooks->magic == ACCESS_HOOKS_MAGIC;
}

#endif
