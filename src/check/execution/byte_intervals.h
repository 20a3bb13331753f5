/* A set of byte intervals, which may overlap, each with a value (base/interval_tree.h).
 *
 *	struct byte_intervals set = {0};
 *	byte_intervals_add(&set, 0, 8, access);                  bytes 0 to 7
 *	interval_tree_visit(&set.tree, 4, 12, look, context);    calls look() for each with a byte of 4 to 11
 *	byte_intervals_clear(&set, release, context); */
#ifndef TARRY_CHECK_EXECUTION_BYTE_INTERVALS_H
#define TARRY_CHECK_EXECUTION_BYTE_INTERVALS_H

#include "base/interval_tree.h"

struct byte_intervals {
	struct interval_tree tree;
	uint64_t count;
};

void byte_intervals_add(struct byte_intervals *set, int64_t first, int64_t end, void *value);
/* Removes an interval and frees it. */
void byte_intervals_remove(struct byte_intervals *set, struct interval *interval);
/* Removes all; `release` gets each value. */
void byte_intervals_clear(struct byte_intervals *set, void (*release)(void *owner, void *value), void *owner);

#endif
