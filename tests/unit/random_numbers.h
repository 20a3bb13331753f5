/* The same random numbers on every machine. */
#ifndef TARRY_TESTS_RANDOM_NUMBERS_H
#define TARRY_TESTS_RANDOM_NUMBERS_H

#include <stdint.h>

struct random_numbers {
	uint64_t state; /* starts as any seed but 0 */
};

/* From 0 to below `end`. */
static inline uint32_t random_below(struct random_numbers *numbers, uint32_t end)
{
	numbers->state ^= numbers->state << 13;
	numbers->state ^= numbers->state >> 7;
	numbers->state ^= numbers->state << 17;
	return (uint32_t)((numbers->state >> 32) * end >> 32);
}

static inline int64_t random_between(struct random_numbers *numbers, int64_t least, int64_t greatest)
{
	return least + random_below(numbers, (uint32_t)(greatest - least + 1));
}

#endif
