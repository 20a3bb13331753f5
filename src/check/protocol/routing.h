/* Which of K analysers is responsible: a closed formula, so that all processes agree without asking anybody. */
#ifndef TARRY_CHECK_PROTOCOL_ROUTING_H
#define TARRY_CHECK_PROTOCOL_ROUTING_H

#include "base/hash.h"

#include <stdint.h>

/* The position of the pair {a, b} in the list (0,1), (0,2) … (N-2,N-1) of pairs of N processes. A process that sends to itself counts
 * with its neighbour. */
static inline uint64_t pair_position(uint64_t a, uint64_t b, uint64_t n)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;

	if (low == high)
		return n < 2 ? 0 : low + 1 < n ? pair_position(low, low + 1, n) : pair_position(low - 1, low, n);
	return low * (2 * n - low - 1) / 2 + (high - low - 1);
}

static inline uint32_t analyser_of_pair(uint64_t a, uint64_t b, uint64_t n, uint32_t analysers)
{
	return (uint32_t)(pair_position(a, b, n) % analysers);
}

/* Of a communicator, window or file: its identity is a hash already. */
static inline uint32_t analyser_of_object(uint64_t identity, uint32_t analysers)
{
	return (uint32_t)(identity % analysers);
}

#endif
