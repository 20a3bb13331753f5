/* Sums of integers that cannot overflow, in two words of memory. */
#ifndef TARRY_ANALYSIS_ENGINE_OP_WIDE_H
#define TARRY_ANALYSIS_ENGINE_OP_WIDE_H

#include <stdint.h>
#include <string.h>

static inline __int128 wide_load(const int64_t *words)
{
	__int128 sum;

	memcpy(&sum, words, sizeof sum);
	return sum;
}

static inline void wide_store(int64_t *words, __int128 sum)
{
	memcpy(words, &sum, sizeof sum);
}

/* The nearest integer of 64 bits. */
static inline int64_t wide_to_word(__int128 sum)
{
	if (sum > INT64_MAX)
		return INT64_MAX;
	return sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
}

static inline double word_to_real(int64_t word)
{
	double real;

	memcpy(&real, &word, sizeof real);
	return real;
}

static inline int64_t real_to_word(double real)
{
	int64_t word;

	memcpy(&word, &real, sizeof word);
	return word;
}

#endif
