/* Arrays in an arena that grow by doubling. The capacity is not kept: it is the power of two at or above the
 * count, so an array is full exactly when its count is 0 or a power of two.
 *
 *	items = arena_grown(arena, items, count, sizeof *items);
 *	items[count++] = item; */
#ifndef TARRY_TRACE_GROW_H
#define TARRY_TRACE_GROW_H

#include "base/arena.h"

#include <string.h>

static inline void *arena_grown(struct arena *arena, void *items, size_t count, size_t size)
{
	void *larger;

	if (count & (count - 1))
		return items;
	larger = arena_alloc(arena, count ? count * 2 : 1, size);
	if (items)
		memcpy(larger, items, count * size);
	return larger;
}

#endif
