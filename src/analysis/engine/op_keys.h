/* A hash table from key words to records. A record is the key words and then a payload, which starts as zeros.
 *
 *	struct key_table table;
 *	key_table_init(&table, 2, 3, NULL, NULL);
 *	uint32_t record = key_table_put(&table, key, key_hash(key, 2));
 *	int64_t *payload = key_payload(&table, record);
 *	key_table_release(&table);
 *
 * Keys are never removed one by one: programs use the same ones again and again. Only when the table would have to
 * grow, those whose payload `is_idle` are thrown out, so ever new keys do not make it grow. A number of a record holds
 * until the next put. */
#ifndef TARRY_ANALYSIS_ENGINE_OP_KEYS_H
#define TARRY_ANALYSIS_ENGINE_OP_KEYS_H

#include "analysis/engine/op_pool.h"

#include <stdbool.h>
#include <string.h>

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
	bool (*is_idle)(void *context, int64_t *payload); /* NULL: none ever is */
	void *context;
};

void key_table_init(struct key_table *table, uint32_t keys, uint32_t payload_words,
                    bool (*is_idle)(void *context, int64_t *payload), void *context);
void key_table_release(struct key_table *table);
/* All keys at once. */
void key_table_clear(struct key_table *table);
/* Throws out what is idle now. */
void key_table_sweep(struct key_table *table);
uint32_t key_table_add(struct key_table *table, const int64_t *key, uint32_t hash);

static inline uint32_t key_hash(const int64_t *key, uint32_t words)
{
	uint64_t mixed = 0x9e3779b97f4a7c15u;

	for (uint32_t i = 0; i < words; i++) {
		mixed = (mixed ^ (uint64_t)key[i]) * 0xff51afd7ed558ccdu;
		mixed ^= mixed >> 32;
	}
	return (uint32_t)(mixed * 0xc4ceb9fe1a85ec53u >> 32);
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
