#include "job/check/saved_registers.h"

#ifdef __x86_64__
#include <ucontext.h>

enum { WRITE_BIT = 2 }; /* of the error code of a page fault */

enum access_kind fault_access(const void *context)
{
	const ucontext_t *saved = context;

	return saved->uc_mcontext.gregs[REG_ERR] & WRITE_BIT ? ACCESS_WRITES : ACCESS_READS;
}
#endif
