/* Intervals of bytes, which may overlap, and a search for those that overlap a given one. The caller owns the nodes; they do not move.
 *
 *	struct interval_tree tree = {0};
 *	interval_tree_add(&tree, &node);                         with `first` and `end`
 *	interval_tree_visit(&tree, first, end, visit, context);  until visit() returns false
 *	interval_tree_remove(&tree, &node);
 *
 * A treap by first byte, whose nodes contain the largest end of their subtree. An interval has at least one byte. Allocates nothing. */
#ifndef TARRY_BASE_INTERVAL_TREE_H
#define TARRY_BASE_INTERVAL_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct interval {
	int64_t first, end; /* after the last byte */
	void *value;        /* of the caller, and `place` */
	struct interval *left, *right;
	int64_t last_end; /* of the subtree */
	uint32_t priority;
	uint8_t place;
};

struct interval_tree {
	struct interval *root;
	uint32_t seed;
};

void interval_tree_add(struct interval_tree *tree, struct interval *interval);
void interval_tree_remove(struct interval_tree *tree, struct interval *interval);
/* Visits all that share a byte with [first, end), in ascending order. False: visit() returned false; it must not change the tree. */
typedef bool interval_visit(struct interval *interval, void *context);
bool interval_tree_visit(const struct interval_tree *tree, int64_t first, int64_t end, interval_visit *visit,
                         void *context);

#endif
