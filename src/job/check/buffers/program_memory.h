/* Finds memory of the program that may be protected for a while: anonymous writable memory (heap, bss, mmap()),
 * but never a stack. Reads /proc/self/maps and remembers the regions that it finds. A region may have changed
 * since, but a buffer that MPI writes is writable anyway. */
#ifndef TARRY_JOB_CHECK_BUFFERS_PROGRAM_MEMORY_H
#define TARRY_JOB_CHECK_BUFFERS_PROGRAM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum memory_kind {
	MEMORY_OWN,      /* as above */
	MEMORY_SHARED,   /* also memory shared with other processes */
	MEMORY_WRITABLE, /* any readable and writable memory */
	MEMORY_READABLE, /* any readable memory */
	MEMORY_KINDS
};

/* True if some of these bytes are on the stack of the calling thread. */
bool is_own_stack(uintptr_t first, uintptr_t end);

/* With the lock. */
bool is_program_memory(uintptr_t first, uintptr_t end, enum memory_kind kind);

#endif
