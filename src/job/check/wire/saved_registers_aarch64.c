#include "job/check/wire/saved_registers.h"

#ifdef __aarch64__
#include <asm/sigcontext.h>
#include <errno.h>
#include <stdint.h>
#include <ucontext.h>

/* The syndrome register: its class is that of a data abort, from user mode; one bit says that it was a write. */
enum { CLASS_SHIFT = 26, DATA_ABORT = 0x24, WRITE_BIT = 1 << 6 };

enum access_kind fault_access(const void *context)
{
	const ucontext_t *saved = context;
	const uint8_t *record = (const uint8_t *)saved->uc_mcontext.__reserved,
		      *end = record + sizeof saved->uc_mcontext.__reserved;

	/* Records of different kinds; the last one has no size. */
	while (record + sizeof(struct _aarch64_ctx) <= end) {
		const struct _aarch64_ctx *head = (const void *)record;

		if (head->magic == ESR_MAGIC) {
			const uint64_t syndrome = ((const struct esr_context *)(const void *)record)->esr;

			if (syndrome >> CLASS_SHIFT != DATA_ABORT)
				return ACCESS_UNKNOWN;
			return syndrome & WRITE_BIT ? ACCESS_WRITES : ACCESS_READS;
		}
		if (!head->size)
			break;
		record += head->size;
	}
	return ACCESS_UNKNOWN;
}

enum { SVC_0 = (int)0xd4000001, SMALLEST_PAGE = 4096 };

bool system_call_was_cut_short(const void *context)
{
	const mcontext_t *saved = &((const ucontext_t *)context)->uc_mcontext;
	const int32_t *next = (const int32_t *)saved->pc;

	/* The page before may not exist, unless the thread has just been there. */
	return (int64_t)saved->regs[0] == -EINTR && (saved->pc % SMALLEST_PAGE == 0 || next[-1] == SVC_0);
}
#endif
