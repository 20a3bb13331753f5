#include "job/check/buffers/interval_set.h"

#include <stddef.h>

static uint32_t next_priority(struct interval_set *set)
{
	set->seed = set->seed * 1664525u + 1013904223u;
	return set->seed;
}

static void update(struct interval *node)
{
	int64_t last = node->end;

	if (node->left && node->left->last_end > last)
		last = node->left->last_end;
	if (node->right && node->right->last_end > last)
		last = node->right->last_end;
	node->last_end = last;
}

/* Intervals with equal starts are ordered by their addresses, so that a node can be found again. */
static bool is_before(const struct interval *a, const struct interval *b)
{
	return a->first != b->first ? a->first < b->first : (uintptr_t)a < (uintptr_t)b;
}

/* Recursion depth: that of the treap, a small multiple of the logarithm of its size. */
static void split(struct interval *node, const struct interval *at,
                  struct interval **before, /* NOLINT(misc-no-recursion) */
                  struct interval **behind)
{
	if (!node) {
		*before = *behind = NULL;
	} else if (is_before(node, at)) {
		split(node->right, at, &node->right, behind);
		*before = node;
		update(node);
	} else {
		split(node->left, at, before, &node->left);
		*behind = node;
		update(node);
	}
}

static struct interval *join(struct interval *before, struct interval *behind) /* NOLINT(misc-no-recursion) */
{
	if (!before || !behind)
		return before ? before : behind;
	if (before->priority > behind->priority) {
		before->right = join(before->right, behind);
		update(before);
		return before;
	}
	behind->left = join(before, behind->left);
	update(behind);
	return behind;
}

static struct interval *plant(struct interval *root, struct interval *node) /* NOLINT(misc-no-recursion) */
{
	if (!root || node->priority > root->priority) {
		split(root, node, &node->left, &node->right);
		root = node;
	} else if (is_before(node, root)) {
		root->left = plant(root->left, node);
	} else {
		root->right = plant(root->right, node);
	}
	update(root);
	return root;
}

static struct interval *uproot(struct interval *root, struct interval *node) /* NOLINT(misc-no-recursion) */
{
	if (!root)
		return NULL;
	if (root == node)
		return join(node->left, node->right);
	if (is_before(node, root))
		root->left = uproot(root->left, node);
	else
		root->right = uproot(root->right, node);
	update(root);
	return root;
}

void interval_add(struct interval_set *set, struct interval *interval)
{
	if (set->few_count < FEW_INTERVALS) {
		interval->place = (uint8_t)set->few_count;
		set->few[set->few_count++] = (struct interval_span){interval->first, interval->end, interval};
		return;
	}
	interval->place = NOT_AMONG_FEW;
	interval->left = interval->right = NULL;
	interval->priority = next_priority(set);
	set->root = plant(set->root, interval);
}

void interval_remove(struct interval_set *set, struct interval *interval)
{
	if (interval->place == NOT_AMONG_FEW) {
		set->root = uproot(set->root, interval);
		return;
	}
	set->few[interval->place] = set->few[--set->few_count];
	set->few[interval->place].interval->place = interval->place;
}

static bool visit_tree(struct interval *node, int64_t first, int64_t end, /* NOLINT(misc-no-recursion) */
                       interval_visit *visit, void *context)
{
	if (!node || node->last_end <= first)
		return true;
	if (!visit_tree(node->left, first, end, visit, context))
		return false;
	if (node->first >= end)
		return true;
	if (node->end > first && !visit(node, context))
		return false;
	return visit_tree(node->right, first, end, visit, context);
}

void interval_each(const struct interval_set *set, int64_t first, int64_t end, interval_visit *visit,
                   void *context)
{
	for (uint32_t i = 0; i < set->few_count; i++)
		if (__builtin_expect(set->few[i].first < end && set->few[i].end > first, 0) &&
		    !visit(set->few[i].interval, context))
			return;
	if (set->root)
		visit_tree(set->root, first, end, visit, context);
}

static bool stop_at_first(struct interval *interval, void *found)
{
	(void)interval;
	*(bool *)found = true;
	return false;
}

bool interval_set_has(const struct interval_set *set, int64_t first, int64_t end)
{
	bool found = false;

	interval_each(set, first, end, stop_at_first, &found);
	return found;
}
