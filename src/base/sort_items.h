/* A stable sort by an unsigned number, in time linear in the count: one pass for each digit in which the
 * numbers differ. */
#ifndef TARRY_BASE_SORT_ITEMS_H
#define TARRY_BASE_SORT_ITEMS_H

#include <stddef.h>
#include <stdint.h>

struct sort_item {
	uint64_t number;
	uint64_t what;
};

/* `spare` has room for `count` items. The result is in `items`. */
void sort_items(struct sort_item *items, struct sort_item *spare, size_t count);

/* Unsigned numbers with the order of signed integers, and of doubles. All not-a-numbers are equal, and the
 * greatest; 0 and -0 are equal. */
uint64_t sort_number_of_integer(int64_t word);
uint64_t sort_number_of_real(int64_t word);

#endif
