#include "analysis/causes/cause_keys.h"

#include "analysis/causes/critical_path.h"
#include "analysis/model/places.h"
#include "analysis/model/relations.h"

#include <string.h>

enum { KEYS_MAX = 1 << 20 };

uint32_t cause_key_number(struct cause_keys *keys, const struct cause_key *key)
{
	uint64_t hash = hash_bytes(key, sizeof *key);
	uint32_t number = map_index_find(&keys->index, hash, i,
	                                 memcmp(&keys->all.items[i], key, sizeof *key) == 0);

	if (number != MAP_NONE)
		return number;
	if (keys->all.count >= KEYS_MAX)
		return KEY_OTHER;
	number = (uint32_t)keys->all.count;
	map_index_add(&keys->index, hash, number);
	array_add(&keys->all, *key);
	return number;
}

void cause_keys_init(struct cause_keys *keys)
{
	static const enum cause_kind fixed[KEYS_FIXED] = {
		[KEY_OTHER] = CAUSE_OTHER, [KEY_UNKNOWN] = CAUSE_UNKNOWN, [KEY_NOISE] = CAUSE_NOISE};

	for (uint32_t i = 0; i < KEYS_FIXED; i++)
		cause_key_number(keys, &(struct cause_key){fixed[i], NO_PROCESS, NO_PLACE, NO_PLACE, 0, 0});
}

void cause_keys_release(struct cause_keys *keys)
{
	map_index_release(&keys->index);
	array_release(&keys->all);
}

void key_sums_clear(struct key_sums *sums)
{
	for (uint32_t i = 0; i < sums->count; i++)
		sums->slots[sums->used[i]] = (struct key_sum){0};
	sums->count = 0;
}

void key_sums_note_late(struct key_sums *sums)
{
	for (uint32_t i = 0; i < sums->count; i++)
		sums->slots[sums->used[i]].late_ns = sums->slots[sums->used[i]].ns;
}

static uint32_t slot_of(const struct key_sums *sums, uint32_t key)
{
	uint32_t slot = key % SUMS_SLOTS;

	while (sums->slots[slot].is_used && sums->slots[slot].key != key)
		slot = (slot + 1) % SUMS_SLOTS;
	return slot;
}

struct key_sum *key_sums_find(struct key_sums *sums, uint32_t key)
{
	struct key_sum *sum = &sums->slots[slot_of(sums, key)];

	return sum->is_used ? sum : NULL;
}

struct key_sum *key_sums_new(struct key_sums *sums, uint32_t key)
{
	uint32_t slot = slot_of(sums, key);

	if (sums->slots[slot].is_used)
		return &sums->slots[slot];
	if (sums->count >= SUMS_MAX && key != KEY_OTHER)
		return key_sums_new(sums, KEY_OTHER);
	sums->used[sums->count++] = slot;
	sums->slots[slot].is_used = true;
	sums->slots[slot].key = key;
	return &sums->slots[slot];
}
