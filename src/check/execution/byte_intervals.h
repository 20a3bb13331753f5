/* A set of byte intervals, which may overlap, each with a value. Finding those that overlap a given interval
 * takes time proportional to the logarithm of their number plus the number found.
 *
 *	struct byte_intervals set = {0};
 *	byte_intervals_add(&set, 0, 8, access);                  bytes 0 to 7
 *	byte_intervals_visit(&set, 4, 12, look, owner);          calls look() for each with a byte of 4 to 11
 *	byte_intervals_clear(&set, release);
 *
 * A treap by first byte; each node has the last byte of its subtree. */
#ifndef TARRY_CHECK_EXECUTION_BYTE_INTERVALS_H
#define TARRY_CHECK_EXECUTION_BYTE_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

struct byte_interval {
	int64_t first, end; /* after the last byte */
	int64_t reach;      /* the largest `end` of the subtree */
	uint64_t weight;
	struct byte_interval *left, *right;
	void *value;
};

struct byte_intervals {
	struct byte_interval *root;
	uint64_t count;
	uint64_t random;
};

void byte_intervals_add(struct byte_intervals *set, int64_t first, int64_t end, void *value);

/* In ascending order, until `visit` returns false, which must not change the set. */
typedef bool byte_interval_visit(void *owner, struct byte_interval *interval);
bool byte_intervals_visit(const struct byte_intervals *set, int64_t first, int64_t end,
                          byte_interval_visit *visit, void *owner);
/* Removes an interval and frees it. */
void byte_intervals_remove(struct byte_intervals *set, struct byte_interval *interval);
/* Removes all; `release` gets each value. */
void byte_intervals_clear(struct byte_intervals *set, void (*release)(void *owner, void *value), void *owner);

#endif
