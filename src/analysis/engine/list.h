/* Lists that grow while rules are compiled, in an arena: small ones, whose old places are not missed. */
#ifndef TARRY_ANALYSIS_ENGINE_LIST_H
#define TARRY_ANALYSIS_ENGINE_LIST_H

#include "base/arena.h"

#include <string.h>

#define LIST_ADD(arena, items, count, item) \
	do { \
		if (((count) & ((count)-1u)) == 0) \
			(items) = list_grown(arena, items, count, sizeof *(items)); \
		(items)[(count)++] = (item); \
	} while (0)

/* Room is always a power of two. */
static inline void *list_grown(struct arena *arena, const void *items, size_t count, size_t size)
{
	void *more = arena_alloc(arena, count ? 2 * count : 1, size);

	if (count)
		memcpy(more, items, count * size);
	return more;
}

#endif
