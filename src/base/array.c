/* madvise() */
#define _DEFAULT_SOURCE

#include "base/array.h"

#include "base/memory.h"

#include <sys/mman.h>

enum { FIRST_ROOM = 4, LARGE_PAGE = 2 << 20, LARGE = 2 * LARGE_PAGE };

size_t array_next_room(size_t room, size_t wanted, size_t most)
{
	size_t next = room > most / 2 ? most : room * 2;

	if (next < FIRST_ROOM)
		next = FIRST_ROOM < most ? FIRST_ROOM : most;
	return next < wanted ? wanted : next;
}

void array_grow(void **items, size_t *room, size_t wanted, size_t size, size_t most)
{
	size_t next = array_next_room(*room, wanted, most);

	if (wanted > most)
		memory_exhausted(wanted);
	*items = memory_grow(*items, next, size);
	*room = next;
}

void *array_on_large_pages(void *memory, size_t bytes)
{
	uintptr_t from = ((uintptr_t)memory + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1);
	uintptr_t to = ((uintptr_t)memory + bytes) & ~(uintptr_t)(LARGE_PAGE - 1);

	if (bytes >= LARGE && to > from)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
	return memory;
}
