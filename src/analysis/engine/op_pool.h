/* Records of one size that come and go, each known by a number that stays while the record lives. A pointer to a record
 * holds until the next take. */
#ifndef TARRY_ANALYSIS_ENGINE_OP_POOL_H
#define TARRY_ANALYSIS_ENGINE_OP_POOL_H

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

#define NO_RECORD UINT32_MAX

struct record_pool {
	int64_t *words;
	uint32_t stride; /* words of a record */
	uint32_t used;   /* records that were ever taken: their numbers are below */
	uint32_t capacity;
	uint32_t free_one; /* + 1; the first word of a free record is the next free one, + 1 */
};

static inline int64_t *record_at(const struct record_pool *pool, uint32_t number)
{
	return pool->words + (size_t)number * pool->stride;
}

static inline uint32_t record_take(struct record_pool *pool)
{
	uint32_t number = pool->free_one;

	if (number) {
		pool->free_one = (uint32_t)*record_at(pool, number - 1);
		return number - 1;
	}
	if (pool->used == pool->capacity) {
		pool->capacity = pool->capacity ? pool->capacity * 2 : 64;
		pool->words = memory_grow(pool->words, pool->capacity, pool->stride * sizeof *pool->words);
	}
	return pool->used++;
}

static inline void record_give_back(struct record_pool *pool, uint32_t number)
{
	*record_at(pool, number) = pool->free_one;
	pool->free_one = number + 1;
}

static inline void record_pool_release(struct record_pool *pool)
{
	free(pool->words);
	*pool = (struct record_pool){0};
}

#endif
