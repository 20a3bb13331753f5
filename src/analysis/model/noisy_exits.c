#include "analysis/model/noisy_exits.h"

#include "analysis/model/spans.h"
#include "base/array.h"

#include <stdlib.h>

void noisy_exits_add(struct noisy_exits *exits, int64_t until, int64_t noise)
{
	array_add(exits, (struct noisy_exit){until, noise});
}

static int by_exit(const void *left, const void *right)
{
	const struct noisy_exit *a = left, *b = right;

	return (a->until > b->until) - (a->until < b->until);
}

void noisy_exits_sort(struct noisy_exits *exits)
{
	struct noisy_exit *items = exits->items;

	if (exits->count)
		qsort(items, exits->count, sizeof *items, by_exit);
	for (size_t i = 1; i < exits->count; i++)
		items[i].noise = max_ns(items[i].noise, items[i - 1].noise);
}

int64_t noisy_exits_until(const struct noisy_exits *exits, int64_t until)
{
	size_t low = 0, high = exits->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (exits->items[middle].until <= until)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? exits->items[low - 1].noise : 0;
}

void noisy_exits_release(struct noisy_exits *exits)
{
	array_release(exits);
}
