/* Durations, their sums, minimum and maximum. Sums and durations saturate: a damaged trace
 * may contain any number. */
#ifndef TARRY_ANALYSIS_MODEL_SPANS_H
#define TARRY_ANALYSIS_MODEL_SPANS_H

#include <stdint.h>

enum { NS_PER_US = 1000 }; /* delays in events are in microseconds */

/* Not below 0. */
static inline int64_t interval_ns(int64_t from, int64_t to)
{
	int64_t length;

	return __builtin_sub_overflow(to, from, &length) ? INT64_MAX : length < 0 ? 0 : length;
}

static inline int64_t saturating_add(int64_t sum, int64_t more)
{
	return __builtin_add_overflow(sum, more, &sum) ? INT64_MAX : sum;
}

static inline int64_t min_ns(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t max_ns(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

#endif
