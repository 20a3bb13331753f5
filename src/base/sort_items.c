#include "base/sort_items.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { FEW = 48, FEW_BITS = 8, MANY = 1024, DIGIT_BITS = 11 };

uint64_t sort_number_of_integer(int64_t word)
{
	return (uint64_t)word ^ 1ull << 63;
}

uint64_t sort_number_of_real(int64_t word)
{
	double real;
	uint64_t bits;

	memcpy(&real, &word, sizeof real);
	if (isnan(real))
		return UINT64_MAX;
	if (real == 0)
		word = 0;
	bits = (uint64_t)word;
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

static void distribute(const struct sort_item *from, struct sort_item *to, size_t count, uint64_t min,
                       unsigned shift, unsigned bits)
{
	uint64_t mask = (1u << bits) - 1;
	size_t places[1 << DIGIT_BITS];
	size_t place = 0;

	memset(places, 0, sizeof *places << bits);
	for (size_t i = 0; i < count; i++)
		places[(from[i].number - min) >> shift & mask]++;
	for (uint64_t digit = 0; digit <= mask; digit++) {
		size_t here = places[digit];
		places[digit] = place;
		place += here;
	}
	for (size_t i = 0; i < count; i++)
		to[places[(from[i].number - min) >> shift & mask]++] = from[i];
}

void sort_items(struct sort_item *items, struct sort_item *spare, size_t count)
{
	struct sort_item *from = items, *to = spare;
	unsigned bits = count < MANY ? FEW_BITS : DIGIT_BITS;
	uint64_t min = UINT64_MAX, max = 0;
	bool is_sorted = true;

	if (count <= FEW) {
		for (size_t i = 1; i < count; i++) {
			struct sort_item item = items[i];
			size_t at = i;

			for (; at > 0 && items[at - 1].number > item.number; at--)
				items[at] = items[at - 1];
			items[at] = item;
		}
		return;
	}
	for (size_t i = 0; i < count; i++) {
		is_sorted &= items[i].number >= max;
		min = items[i].number < min ? items[i].number : min;
		max = items[i].number > max ? items[i].number : max;
	}
	if (is_sorted)
		return;
	for (unsigned shift = 0; shift < 64 && (max - min) >> shift; shift += bits) {
		struct sort_item *swap = from;
		distribute(from, to, count, min, shift, bits);
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, count * sizeof *items);
}
