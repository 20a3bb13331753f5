/* Which of K analysers is responsible: a closed formula, so that all processes agree without asking anybody. */
#ifndef TARRY_CHECK_PROTOCOL_ROUTING_H
#define TARRY_CHECK_PROTOCOL_ROUTING_H

#include "base/hash.h"

#include <stdint.h>

/* The position of the pair {a, b} in the list (0,1), (1,2) … (N-2,N-1), (0,2), (1,3) … (0,N-1) of pairs of N processes. Those that
 * are equally far apart follow each other, so that neighbours in rings and grids fall on all analysers in turn, as all pairs together do;
 * row by row, (0,1), (0,2) …, a ring would use two of three analysers. A process that sends to itself counts with its neighbour. */
static inline uint64_t pair_position(uint64_t a, uint64_t b, uint64_t n)
{
	uint64_t low = a < b ? a : b, distance = a < b ? b - a : a - b;

	if (n < 2)
		return 0;
	if (!distance) {
		distance = 1;
		low -= low + 1 == n;
	}
	return (distance - 1) * (2 * n - distance) / 2 + low;
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

/* Of a message between process `rank` and its peer, both as ranks in a world of `n`; of a peer in another world, which has no such rank
 * (-1), that of the communicator. */
static inline uint32_t analyser_of_message(uint64_t rank, int64_t peer, uint64_t n, uint64_t comm,
                                           uint32_t analysers)
{
	return peer < 0 ? analyser_of_object(comm, analysers)
	                : analyser_of_pair(rank, (uint64_t)peer, n, analysers);
}

#endif
