/* Blocks in the main heap of the C library (glibc), as their headers show them. A header lies before each block and has its size, so the headers are
 * a chain from the beginning of the heap to its end. An address in the middle of a block may have data before it that looks like a header.
 * Only the whole chain is a proof: who follows it from the beginning, and comes out at the end, has met each block.
 *
 * Headers are read by a system call that fails where memory is gone or protected. Other threads may change the chain meanwhile, which then
 * mostly breaks. Nothing is known if the program has another allocator, or moves the end of the heap itself. */
#ifndef TARRY_JOB_CHECK_BUFFERS_HEAP_BLOCKS_H
#define TARRY_JOB_CHECK_BUFFERS_HEAP_BLOCKS_H

#include "job/check/buffers/memory_extents.h"

bool heap_has(uintptr_t address);
/* Without a proof: a header before `first`, or a block that was found before, has room for these bytes. */
bool heap_block_seems_to_fit(uintptr_t first, uintptr_t end);
/* With a proof, which takes some nanoseconds for each block of the heap. */
bool heap_block_find(uintptr_t address, struct memory_extent *extent);

#endif
