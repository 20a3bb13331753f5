#include "base/interval_tree.h"

#include <stddef.h>

static uint32_t next_priority(struct interval_tree *tree)
{
	tree->seed = tree->seed * 1664525u + 1013904223u;
	return tree->seed;
}

static void update(struct interval *node)
{
	node->last_end = node->end;
	if (node->left && node->left->last_end > node->last_end)
		node->last_end = node->left->last_end;
	if (node->right && node->right->last_end > node->last_end)
		node->last_end = node->right->last_end;
}

/* Intervals with equal starts are ordered by their addresses, so that a node can be found again. */
static bool is_before(const struct interval *a, const struct interval *b)
{
	return a->first != b->first ? a->first < b->first : (uintptr_t)a < (uintptr_t)b;
}

/* Recursion depth: that of the treap, a small multiple of the logarithm of its size. */
static void split(struct interval *node, const struct interval *at, /* NOLINT(misc-no-recursion) */
                  struct interval **left, struct interval **right)
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

static struct interval *join(struct interval *left, struct interval *right) /* NOLINT(misc-no-recursion) */
{
	if (!left || !right)
		return left ? left : right;
	if (left->priority > right->priority) {
		left->right = join(left->right, right);
		update(left);
		return left;
	}
	right->left = join(left, right->left);
	update(right);
	return right;
}

void interval_tree_add(struct interval_tree *tree, struct interval *interval)
{
	struct interval *left, *right;

	interval->left = interval->right = NULL;
	interval->last_end = interval->end;
	interval->priority = next_priority(tree);
	split(tree->root, interval, &left, &right);
	tree->root = join(join(left, interval), right);
}

static struct interval *without(struct interval *node, /* NOLINT(misc-no-recursion) */
                                const struct interval *gone)
{
	if (!node)
		return NULL;
	if (node == gone)
		return join(node->left, node->right);
	if (is_before(gone, node))
		node->left = without(node->left, gone);
	else
		node->right = without(node->right, gone);
	update(node);
	return node;
}

void interval_tree_remove(struct interval_tree *tree, struct interval *interval)
{
	tree->root = without(tree->root, interval);
}

static bool visit_below(struct interval *node, int64_t first, int64_t end, /* NOLINT(misc-no-recursion) */
                        interval_visit *visit, void *context)
{
	while (node && node->last_end > first) {
		if (node->left && !visit_below(node->left, first, end, visit, context))
			return false;
		if (node->first >= end)
			return true;
		if (node->end > first && !visit(node, context))
			return false;
		node = node->right;
	}
	return true;
}

bool interval_tree_visit(const struct interval_tree *tree, int64_t first, int64_t end, interval_visit *visit,
                         void *context)
{
	return visit_below(tree->root, first, end, visit, context);
}
