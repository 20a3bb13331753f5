#include "check/execution/byte_intervals.h"

#include "base/memory.h"

#include <stdlib.h>

void byte_intervals_add(struct byte_intervals *set, int64_t first, int64_t end, void *value)
{
	struct interval *interval = memory_new(1, sizeof *interval);

	*interval = (struct interval){.first = first, .end = end, .value = value};
	interval_tree_add(&set->tree, interval);
	set->count++;
}

void byte_intervals_remove(struct byte_intervals *set, struct interval *interval)
{
	interval_tree_remove(&set->tree, interval);
	set->count--;
	free(interval);
}

static void clear_below(struct interval *interval, /* NOLINT(misc-no-recursion) */
                        void (*release)(void *owner, void *value), void *owner)
{
	if (!interval)
		return;
	clear_below(interval->left, release, owner);
	clear_below(interval->right, release, owner);
	release(owner, interval->value);
	free(interval);
}

void byte_intervals_clear(struct byte_intervals *set, void (*release)(void *owner, void *value), void *owner)
{
	clear_below(set->tree.root, release, owner);
	*set = (struct byte_intervals){0};
}
