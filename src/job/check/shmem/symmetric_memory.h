/* Symmetric memory of this PE: blocks of the symmetric heap, also freed ones, and variables of loaded files. */
#ifndef TARRY_JOB_CHECK_SHMEM_SYMMETRIC_MEMORY_H
#define TARRY_JOB_CHECK_SHMEM_SYMMETRIC_MEMORY_H

#include "job/check/shmem/shmem_call.h"

struct symmetric_block {
	uintptr_t start;
	uint64_t bytes;
	enum call_id created_by, freed_by;
	uint32_t created_at, freed_at; /* places */
	bool is_freed;
};

enum symmetry {
	IN_BLOCK,
	IN_FREED_BLOCK,
	IN_FILE,
	SYMMETRY_UNKNOWN, /* the library knows it: memory that the agent has not seen */
	NOT_SYMMETRIC,
};

/* `block` is set for the first two. */
enum symmetry symmetric_find(const volatile void *address, const struct symmetric_block **block);

/* Around allocations. */
void symmetric_before(struct shmem_call *c);
void symmetric_after(const struct shmem_call *c);
/* At the end: blocks that were not freed. */
void symmetric_report_left(void);

enum { SYMMETRIC_TEXT = 96, SHMEM_PLACE_BITS = 48 };

/* These are the same in all PEs for the same symmetric object. */

/* 0: unknown */
uint64_t symmetric_identity(const volatile void *address);
/* A position in the symmetric memory, of SHMEM_PLACE_BITS bits. 0: unknown, or a variable of a library. */
uint64_t symmetric_place(const volatile void *address);
/* "heap+64", "program+0x4040"; "?": unknown */
const char *symmetric_text(const volatile void *address, char text[SYMMETRIC_TEXT]);

#endif
