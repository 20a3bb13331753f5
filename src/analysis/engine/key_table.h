/* A hash table from key words to records. A record is the key words and then a payload, which starts as
 * zeros.
 *
 *	struct key_table table;
 *	key_table_init(&table, 2, 3, NULL, NULL);
 *	uint32_t record = key_table_put(&table, key, key_hash(key, 2));
 *	int64_t *payload = key_payload(&table, record);
 *	key_table_release(&table);
 *
 * Keys are not removed one by one, because programs use the same keys repeatedly. When the table would have
 * to grow, it first removes the keys whose payload `is_idle`. So programs with ever new keys do not make it
 * grow. The number of a record is valid until the next put. */
#ifndef TARRY_ANALYSIS_ENGINE_KEY_TABLE_H
#define TARRY_ANALYSIS_ENGINE_KEY_TABLE_H

#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- records ---- */

/* Records of one size. A record keeps its number as long as it lives. A pointer to a record is valid until
 * the next take. */
#define NO_RECORD UINT32_MAX

struct record_pool {
	int64_t *words;
	uint32_t stride; /* words of a record */
	uint32_t used;   /* all numbers that were ever taken are below this one */
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

/* ---- keys ---- */

struct key_slot {
	uint32_t hash;
	uint32_t record; /* + 1; 0: empty */
};

struct key_table {
	struct key_slot *slots;
	uint32_t mask; /* slots - 1 */
	uint32_t count;
	uint32_t keys; /* words */
	struct record_pool records;
	bool (*is_idle)(void *context, int64_t *payload); /* NULL: no key is ever idle */
	void *context;
};

void key_table_init(struct key_table *table, uint32_t keys, uint32_t payload_words,
                    bool (*is_idle)(void *context, int64_t *payload), void *context);
void key_table_release(struct key_table *table);
/* Removes all keys. */
void key_table_clear(struct key_table *table);
/* Removes idle entries. */
void key_table_sweep(struct key_table *table);
uint32_t key_table_add(struct key_table *table, const int64_t *key, uint32_t hash);

static inline uint32_t key_hash(const int64_t *key, uint32_t words)
{
	return hash_fold(hash_words(key, words, 0));
}

static inline bool key_equal(const int64_t *x, const int64_t *y, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		if (x[i] != y[i])
			return false;
	return true;
}

static inline int64_t *key_payload(const struct key_table *table, uint32_t record)
{
	return record_at(&table->records, record) + table->keys;
}

static inline void key_prefetch(const struct key_table *table, uint32_t hash)
{
	__builtin_prefetch(&table->slots[hash & table->mask]);
}

/* NO_RECORD if there is none. */
static inline uint32_t key_table_find(const struct key_table *table, const int64_t *key, uint32_t hash)
{
	for (uint32_t at = hash & table->mask;; at = (at + 1) & table->mask) {
		const struct key_slot *slot = &table->slots[at];
		if (!slot->record)
			return NO_RECORD;
		if (slot->hash == hash &&
		    key_equal(record_at(&table->records, slot->record - 1), key, table->keys))
			return slot->record - 1;
	}
}

static inline uint32_t key_table_put(struct key_table *table, const int64_t *key, uint32_t hash)
{
	uint32_t found = key_table_find(table, key, hash);

	return found != NO_RECORD ? found : key_table_add(table, key, hash);
}

#endif
