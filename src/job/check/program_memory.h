/* Which memory is the program's own and may be protected for a while: anonymous and writable, as heap, bss and mmap() give it; never a
 * stack. From /proc/self/maps; regions that were found to be so are remembered, which is safe for addresses that the program lets MPI write
 * to: they are writable. */
#ifndef TARRY_JOB_CHECK_PROGRAM_MEMORY_H
#define TARRY_JOB_CHECK_PROGRAM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* `with_shared`: memory that is shared with other processes counts, too. With the lock. */
bool is_program_memory(uintptr_t first, uintptr_t end, bool with_shared);

#pragma GCC visibility pop

#endif
