#include "job/check/wire/saved_registers.h"

#ifdef __aarch64__
#include <asm/sigcontext.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* The syndrome register: its class is a data abort from user mode; one bit marks a write. */
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

/* Instructions that access memory, by bits of their encoding (Arm Architecture Reference Manual, C4.1, "Loads and Stores"). */
struct access_encoding {
	uint32_t mask, value;
	uint32_t load; /* it loads if any of these bits is set; 0: it stores, and may load as well */
};

static const struct access_encoding encodings[] = {
	{0x3b200c00, 0x38200000, 0},       /* LDADD, SWP and other atomic operations */
	{0x3fa07c00, 0x08a07c00, 0},       /* CAS */
	{0x3f000000, 0x08000000, 1 << 22}, /* exclusive, acquire and release */
	{0x3b000000, 0x18000000, ~0u},     /* literal */
	{0x3a000000, 0x28000000, 1 << 22}, /* pair */
	{0x3e000000, 0x3c000000, 1 << 22}, /* one vector register */
	{0x3a000000, 0x38000000, 3 << 22}, /* one register */
	{0xbe000000, 0x0c000000, 1 << 22}, /* several vector registers */
	{0xfe000000, 0xe4000000, 0},       /* SVE: stores */
	{0x9e000000, 0x84000000, ~0u},     /* and loads */
	{0xffffffe0, 0xd50b7420, 0},       /* DC ZVA */
};

const bool trap_follows_access = false;

enum access_kind trapped_access(const void *context, bool changed)
{
	const mcontext_t *saved = &((const ucontext_t *)context)->uc_mcontext;
	const uint32_t instruction = *(const uint32_t *)saved->pc;

	(void)changed;
	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
		if ((instruction & encodings[i].mask) == encodings[i].value)
			return instruction & encodings[i].load ? ACCESS_READS : ACCESS_WRITES;
	return ACCESS_UNKNOWN;
}

/* The instruction is executed again, so the first access is the same one. */
uint32_t next_trapped_access(void)
{
	return 2;
}

enum { SVC_0 = (int)0xd4000001, SMALLEST_PAGE = 4096 };

bool system_call_was_cut_short(const void *context)
{
	const mcontext_t *saved = &((const ucontext_t *)context)->uc_mcontext;
	const int32_t *next = (const int32_t *)saved->pc;

	/* The previous page may not exist, unless the thread has just executed code there. */
	return (int64_t)saved->regs[0] == -EINTR && (saved->pc % SMALLEST_PAGE == 0 || next[-1] == SVC_0);
}
#endif
