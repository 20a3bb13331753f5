/* Like freed_memory.c, for C++. In a separate file, so that other programs do not need the C++ library. */
#include "job/cc/runtime.h"

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker names them */

#define DELETES(name) \
	void __real_##name(void *memory); \
	void __wrap_##name(void *memory) \
	{ \
		memory_freed(memory); \
		__real_##name(memory); \
	} \
	void __real_##name##m(void *memory, size_t bytes); \
	void __wrap_##name##m(void *memory, size_t bytes) \
	{ \
		memory_freed(memory); \
		__real_##name##m(memory, bytes); \
	}

DELETES(_ZdlPv)
DELETES(_ZdaPv)

/* NOLINTEND(bugprone-reserved-identifier) */
