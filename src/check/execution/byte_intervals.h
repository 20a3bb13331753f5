/* Intervals of bytes, which may overlap, each with a value: found by the bytes that they share with another one, in time that grows with the
 * logarithm of their number and with how many are found.
 *
 *	struct byte_intervals set = {0};
 *	byte_intervals_add(&set, 0, 8, access);                  bytes 0 to 7
 *	byte_intervals_visit(&set, 4, 12, look, owner);          calls look for each that has a byte of 4 to 11
 *	byte_intervals_clear(&set, release);
 *
 * A treap by first byte; each node knows the last byte below it. */
#ifndef TARRY_CHECK_EXECUTION_BYTE_INTERVALS_H
#define TARRY_CHECK_EXECUTION_BYTE_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

struct byte_interval {
	int64_t first, end; /* after the last byte */
	int64_t reach;      /* the largest `end` of this one and those below */
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

/* In ascending order, until one of them gives false. The set must not be changed meanwhile. */
typedef bool byte_interval_visit(void *owner, struct byte_interval *interval);
bool byte_intervals_visit(const struct byte_intervals *set, int64_t first, int64_t end,
                          byte_interval_visit *visit, void *owner);
/* Takes one out and frees it. */
void byte_intervals_remove(struct byte_intervals *set, struct byte_interval *interval);
/* Takes out all; `release` gets the value of each. */
void byte_intervals_clear(struct byte_intervals *set, void (*release)(void *owner, void *value), void *owner);

#endif
