/* Lists in an arena whose members are not together in one struct (otherwise: base/array.h). */
#ifndef TARRY_ANALYSIS_RULES_LISTS_H
#define TARRY_ANALYSIS_RULES_LISTS_H

#include "base/array.h"

#define LIST_ADD(arena, list, count, capacity, item) \
	do { \
		if ((count) == (capacity)) \
			(list) = array_grow_in(arena, list, &(capacity), sizeof *(list)); \
		(list)[(count)++] = (item); \
	} while (0)

#endif
