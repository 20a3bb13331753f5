/* Lists of pointers that grow in an arena. */
#ifndef TARRY_ANALYSIS_RULES_LISTS_H
#define TARRY_ANALYSIS_RULES_LISTS_H

#include "base/arena.h"

#include <string.h>

static inline void *list_grown(struct arena *arena, const void *old, size_t count, size_t *capacity,
                               size_t size)
{
	void *list;

	*capacity = *capacity ? 2 * *capacity : 8;
	list = arena_alloc(arena, *capacity, size);
	if (count)
		memcpy(list, old, count * size);
	return list;
}

#define LIST_ADD(arena, list, count, capacity, item) \
	do { \
		if ((count) == (capacity)) \
			(list) = list_grown(arena, list, count, &(capacity), sizeof *(list)); \
		(list)[(count)++] = (item); \
	} while (0)

#endif
