/* Blocks in the main heap of the C library (glibc), from their headers. The header before each block
 * contains its size, so the headers form a chain from the start of the heap to its end. Data inside a
 * block may look like a header, so only the whole chain is a proof: following it from the start exactly to
 * the end visits every block.
 *
* Headers are read by a system call that fails for unmapped or protected memory. If other threads change the
 * chain meanwhile, it usually breaks. Nothing is known if the program has another allocator, or itself moves
 * the end of the heap. */
#ifndef TARRY_JOB_CHECK_BUFFERS_HEAP_BLOCKS_H
#define TARRY_JOB_CHECK_BUFFERS_HEAP_BLOCKS_H

#include "job/check/buffers/memory_extents.h"

bool heap_has(uintptr_t address);
/* Without a proof: true if a header before `first`, or a known block, has room for these bytes. */
bool heap_block_seems_to_fit(uintptr_t first, uintptr_t end);
/* With a proof, which takes some nanoseconds per block of the heap. */
bool heap_block_find(uintptr_t address, struct memory_extent *extent);

#endif
