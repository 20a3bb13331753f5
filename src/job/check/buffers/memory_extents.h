/* The certain limits of the program's memory: the heap block, variable or stack frame with an
 * address.
 *
 *	struct memory_extent extent;
 *	if (memory_is_exceeded(first, end, call->site, &extent))
 *		… the bytes from `first` on belong to `extent`, which ends before `end` …
 *
* Blocks of the C library's heap (heap_blocks.h), variables of loaded files (variable_extents.h) and frames
 * of the calling thread are known. All other memory (other allocators, mmap(), stacks of other threads) is
 * unknown and never counts as exceeded. A known buffer takes some nanoseconds; a new one takes a microsecond,
 * and more only if it seems to be exceeded. That time is limited to one percent of the run. */
#ifndef TARRY_JOB_CHECK_BUFFERS_MEMORY_EXTENTS_H
#define TARRY_JOB_CHECK_BUFFERS_MEMORY_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

enum memory_owner {
	OWNER_UNKNOWN,
	OWNER_BLOCK,    /* of the heap */
	OWNER_NOBODY,   /* a free block of the heap */
	OWNER_VARIABLE, /* global or static */
	OWNER_FRAME,    /* of a function on the stack of the calling thread */
};

struct memory_extent {
	uintptr_t first, end;
	enum memory_owner owner;
};

/* `site`: the call's return address. */
bool memory_is_exceeded(uintptr_t first, uintptr_t end, const void *site, struct memory_extent *extent);

/* The frame of the calling thread that contains this byte. `caller`: the stack pointer of the function that
 * the call at `site` returns to; 0: unknown. False: the frame is unknown. */
bool frame_extent_find(uintptr_t address, const void *site, struct memory_extent *extent, uintptr_t *caller);

#endif
