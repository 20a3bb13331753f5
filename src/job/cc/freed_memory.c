/* The linker redirects calls of these functions here (`--wrap`), in C and Fortran: memory that one thread
 * frees may be given to another thread. */
#include "job/cc/runtime.h"

#include <malloc.h>

void memory_freed(void *memory)
{
	void (*freed)(uintptr_t, uintptr_t) = access_hooks_place()->freed;

	if (UNLIKELY(freed != 0) && memory)
		freed((uintptr_t)memory, (uintptr_t)memory + malloc_usable_size(memory));
}

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker names them */

void __real_free(void *memory);
void __wrap_free(void *memory)
{
	memory_freed(memory);
	__real_free(memory);
}

void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes)
{
	memory_freed(memory);
	return __real_realloc(memory, bytes);
}

/* NOLINTEND(bugprone-reserved-identifier) */
