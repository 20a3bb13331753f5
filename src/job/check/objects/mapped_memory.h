/* Tests whether addresses are mapped. Mapped pages are remembered, so memory may still count as mapped after it was unmapped; mapped memory
 * never counts as unmapped. */
#ifndef TARRY_JOB_CHECK_OBJECTS_MAPPED_MEMORY_H
#define TARRY_JOB_CHECK_OBJECTS_MAPPED_MEMORY_H

#include "job/mpi/host.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAPPED_PAGES = 4096, MAPPED_PAGE_BITS = 12 };

extern HIDDEN uint64_t mapped_pages[MAPPED_PAGES];

bool page_is_mapped(uint64_t address);

static inline bool is_mapped(uint64_t address)
{
	const uint64_t page = address >> MAPPED_PAGE_BITS;

	return __builtin_expect(
		       __atomic_load_n(&mapped_pages[page % MAPPED_PAGES], __ATOMIC_RELAXED) == page && page,
		       1) ||
	       page_is_mapped(address);
}

#endif
