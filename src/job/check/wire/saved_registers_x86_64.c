#include "job/check/wire/saved_registers.h"

#ifdef __x86_64__
#include <errno.h>
#include <stdint.h>
#include <ucontext.h>

enum { WRITE_BIT = 2 }; /* of the error code of a page fault */

enum access_kind fault_access(const void *context)
{
	const ucontext_t *saved = context;

	return saved->uc_mcontext.gregs[REG_ERR] & WRITE_BIT ? ACCESS_WRITES : ACCESS_READS;
}

/* The instruction is complete, and its start is unknown, so a store of the same value looks like a load. */
const bool trap_follows_access = true;

enum access_kind trapped_access(const void *context, bool changed)
{
	(void)context;
	return changed ? ACCESS_WRITES : ACCESS_UNKNOWN;
}

uint32_t next_trapped_access(void)
{
	return 1;
}

enum { SYSCALL_0 = 0x0f, SYSCALL_1 = 0x05, SMALLEST_PAGE = 4096 };

bool system_call_was_cut_short(const void *context)
{
	const greg_t *saved = ((const ucontext_t *)context)->uc_mcontext.gregs;
	const uint8_t *next = (const uint8_t *)saved[REG_RIP];

	/* The previous page may not exist, unless the thread has just executed code there. */
	return saved[REG_RAX] == -EINTR &&
	       (saved[REG_RIP] % SMALLEST_PAGE < 2 || (next[-2] == SYSCALL_0 && next[-1] == SYSCALL_1));
}
#endif
