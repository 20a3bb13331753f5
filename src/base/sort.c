#include "base/sort.h"

#include <stdlib.h>

#define SORT(function, order, type) \
	static int order(const void *left, const void *right) \
	{ \
		const type a = *(const type *)left, b = *(const type *)right; \
		return (a > b) - (a < b); \
	} \
	void function(type *numbers, size_t count) \
	{ \
		if (count) \
			qsort(numbers, count, sizeof *numbers, order); \
	}

SORT(sort_u32, by_u32, uint32_t)
SORT(sort_u64, by_u64, uint64_t)
SORT(sort_i64, by_i64, int64_t)
SORT(sort_doubles, by_double, double)
