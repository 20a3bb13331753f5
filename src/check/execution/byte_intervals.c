#include "check/execution/byte_intervals.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>

static int64_t reach_of(const struct byte_interval *node)
{
	return node ? node->reach : INT64_MIN;
}

static void update(struct byte_interval *node)
{
	node->reach = node->end;
	if (reach_of(node->left) > node->reach)
		node->reach = reach_of(node->left);
	if (reach_of(node->right) > node->reach)
		node->reach = reach_of(node->right);
}

static bool is_before(const struct byte_interval *a, const struct byte_interval *b)
{
	return a->first != b->first ? a->first < b->first : (uintptr_t)a < (uintptr_t)b;
}

/* Intervals before `at` go left. Recursion depth: the logarithm of the tree's size. */
static void split(struct byte_interval *node, const struct byte_interval *at, /* NOLINT(misc-no-recursion) */
                  struct byte_interval **left, struct byte_interval **right)
{
	if (!node) {
		*left = *right = NULL;
	} else if (is_before(node, at)) {
		split(node->right, at, &node->right, right);
		*left = node;
		update(node);
	} else {
		split(node->left, at, left, &node->left);
		*right = node;
		update(node);
	}
}

static struct byte_interval *merge(struct byte_interval *left, /* NOLINT(misc-no-recursion) */
                                   struct byte_interval *right)
{
	if (!left || !right)
		return left ? left : right;
	if (left->weight > right->weight) {
		left->right = merge(left->right, right);
		update(left);
		return left;
	}
	right->left = merge(left, right->left);
	update(right);
	return right;
}

void byte_intervals_add(struct byte_intervals *set, int64_t first, int64_t end, void *value)
{
	struct byte_interval *node = memory_new(1, sizeof *node), *left, *right;

	set->random = hash_word(set->random, set->count);
	*node = (struct byte_interval){
		.first = first, .end = end, .reach = end, .weight = set->random, .value = value};
	split(set->root, node, &left, &right);
	set->root = merge(merge(left, node), right);
	set->count++;
}

static bool visit_below(struct byte_interval *node, int64_t first, /* NOLINT(misc-no-recursion) */
                        int64_t end, byte_interval_visit *visit, void *owner)
{
	while (reach_of(node) > first) {
		if (reach_of(node->left) > first && !visit_below(node->left, first, end, visit, owner))
			return false;
		if (node->first >= end)
			return true;
		if (node->end > first && !visit(owner, node))
			return false;
		node = node->right;
	}
	return true;
}

bool byte_intervals_visit(const struct byte_intervals *set, int64_t first, int64_t end,
                          byte_interval_visit *visit, void *owner)
{
	return visit_below(set->root, first, end, visit, owner);
}

static struct byte_interval *without(struct byte_interval *node, /* NOLINT(misc-no-recursion) */
                                     const struct byte_interval *gone)
{
	if (!node)
		return NULL;
	if (node == gone)
		return merge(node->left, node->right);
	if (is_before(gone, node))
		node->left = without(node->left, gone);
	else
		node->right = without(node->right, gone);
	update(node);
	return node;
}

void byte_intervals_remove(struct byte_intervals *set, struct byte_interval *interval)
{
	set->root = without(set->root, interval);
	set->count--;
	free(interval);
}

static void clear_below(struct byte_interval *node, /* NOLINT(misc-no-recursion) */
                        void (*release)(void *owner, void *value), void *owner)
{
	if (!node)
		return;
	clear_below(node->left, release, owner);
	clear_below(node->right, release, owner);
	release(owner, node->value);
	free(node);
}

void byte_intervals_clear(struct byte_intervals *set, void (*release)(void *owner, void *value), void *owner)
{
	clear_below(set->root, release, owner);
	set->root = NULL;
	set->count = 0;
}
