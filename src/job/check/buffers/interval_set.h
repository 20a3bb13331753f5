/* A set of address intervals that may overlap, and a search for intervals that overlap a given one. A few are in
 * an array, which is faster, the others in a tree. The caller owns the nodes; they do not move.
 *
 *	interval_add(&set, &buffer->interval);
 *	interval_each(&set, first, end, visit, context);      until visit() returns false
 *	interval_remove(&set, &buffer->interval);
 *
 * An interval has at least one byte. */
#ifndef TARRY_JOB_CHECK_BUFFERS_INTERVAL_SET_H
#define TARRY_JOB_CHECK_BUFFERS_INTERVAL_SET_H

#include "base/interval_tree.h"

enum { FEW_INTERVALS = 24, NOT_AMONG_FEW = 0xff };

/* `place` of an interval is its index in the array, or NOT_AMONG_FEW. */
struct interval_set {
	uint32_t few_count;
	struct interval_span {
		int64_t first, end;
		struct interval *interval;
	} few[FEW_INTERVALS];
	struct interval_tree others;
};

void interval_add(struct interval_set *set, struct interval *interval);
void interval_remove(struct interval_set *set, struct interval *interval);
/* Visits all intervals that share a byte with [first, end), in any order. */
void interval_each(const struct interval_set *set, int64_t first, int64_t end, interval_visit *visit,
                   void *context);

/* True if one of them shares a byte with [first, end). */
bool interval_set_has(const struct interval_set *set, int64_t first, int64_t end);

static inline bool interval_set_is_empty(const struct interval_set *set)
{
	return !set->few_count && !set->others.root;
}

#endif
