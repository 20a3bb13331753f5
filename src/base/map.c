/* Only what cannot end the program, as this is linked into the user's job: text_map is in text_map.c. */
#include "base/map.h"

enum { FIRST_SLOTS = 8 };

#define MAP_USED 0x80000000u

static bool is_full(size_t count, size_t slot_count)
{
	return count * 8 >= slot_count * 5;
}

static size_t more_slots(size_t slot_count)
{
	return slot_count ? slot_count * 2 : FIRST_SLOTS;
}

/* Whether what is at `at`, and whose search begins at `home`, would still be found if it were at `hole`. */
static bool may_move(size_t home, size_t hole, size_t at, size_t mask)
{
	return ((at - home) & mask) >= ((at - hole) & mask);
}

/* Words */

static uint32_t mark_of(struct map_key key)
{
	return hash_fold(hash_word(hash_word(0, key.a), key.b)) | MAP_USED;
}

/* Where the key is, or would be. */
static struct map_slot *seek(const struct map *map, struct map_key key, uint32_t mark)
{
	size_t mask = map->slot_count - 1, at = mark & mask;
	struct map_slot *slot = &map->slots[at];

	while (slot->mark && (slot->mark != mark || slot->key.a != key.a || slot->key.b != key.b)) {
		at = (at + 1) & mask;
		slot = &map->slots[at];
	}
	return slot;
}

static bool grow(struct map *map)
{
	struct map larger = {.slot_count = more_slots(map->slot_count), .count = map->count};

	larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
	if (!larger.slots)
		return false;
	array_on_large_pages(larger.slots, larger.slot_count * sizeof *larger.slots);
	for (size_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].mark)
			*seek(&larger, map->slots[i].key, map->slots[i].mark) = map->slots[i];
	free(map->slots);
	*map = larger;
	return true;
}

uint32_t *map_find(const struct map *map, struct map_key key)
{
	struct map_slot *slot = map->slot_count ? seek(map, key, mark_of(key)) : NULL;

	return slot && slot->mark ? &slot->value : NULL;
}

uint32_t *map_try_put(struct map *map, struct map_key key)
{
	uint32_t mark = mark_of(key);
	struct map_slot *slot = map->slot_count ? seek(map, key, mark) : NULL;

	if (slot && slot->mark)
		return &slot->value;
	if (is_full(map->count + 1, map->slot_count)) {
		if (!grow(map))
			return NULL;
		slot = seek(map, key, mark);
	}
	*slot = (struct map_slot){.key = key, .value = MAP_NONE, .mark = mark};
	map->count++;
	return &slot->value;
}

void map_remove(struct map *map, struct map_key key)
{
	size_t mask = map->slot_count - 1, hole, at;

	if (!map_find(map, key))
		return;
	hole = (size_t)(seek(map, key, mark_of(key)) - map->slots);
	for (at = (hole + 1) & mask; map->slots[at].mark; at = (at + 1) & mask) {
		if (may_move(map->slots[at].mark & mask, hole, at, mask)) {
			map->slots[hole] = map->slots[at];
			hole = at;
		}
	}
	map->slots[hole].mark = 0;
	map->count--;
}

const struct map_slot *map_next(const struct map *map, size_t *at)
{
	while (*at < map->slot_count)
		if (map->slots[(*at)++].mark)
			return &map->slots[*at - 1];
	return NULL;
}

void map_clear(struct map *map)
{
	if (map->count)
		memset(map->slots, 0, map->slot_count * sizeof *map->slots);
	map->count = 0;
}

void map_release(struct map *map)
{
	free(map->slots);
	*map = (struct map){0};
}

/* Records */

static void insert(struct map_index *index, struct map_index_slot slot)
{
	size_t mask = index->slot_count - 1, at = slot.hash & mask;

	while (index->slots[at].number)
		at = (at + 1) & mask;
	index->slots[at] = slot;
}

static bool grow_index(struct map_index *index)
{
	struct map_index larger = {.slot_count = more_slots(index->slot_count), .count = index->count};

	larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
	if (!larger.slots)
		return false;
	array_on_large_pages(larger.slots, larger.slot_count * sizeof *larger.slots);
	for (size_t i = 0; i < index->slot_count; i++)
		if (index->slots[i].number)
			insert(&larger, index->slots[i]);
	free(index->slots);
	*index = larger;
	return true;
}

bool map_index_try_add(struct map_index *index, uint64_t hash, uint32_t number)
{
	if (is_full(index->count + 1, index->slot_count) && !grow_index(index))
		return false;
	insert(index, (struct map_index_slot){.hash = hash_fold(hash), .number = number + 1});
	index->count++;
	return true;
}

void map_index_remove(struct map_index *index, uint64_t hash, uint32_t number)
{
	size_t mask = index->slot_count - 1, hole = hash_fold(hash) & mask, at;

	if (!index->slot_count)
		return;
	while (index->slots[hole].number && index->slots[hole].number != number + 1)
		hole = (hole + 1) & mask;
	if (!index->slots[hole].number)
		return;
	for (at = (hole + 1) & mask; index->slots[at].number; at = (at + 1) & mask) {
		if (may_move(index->slots[at].hash & mask, hole, at, mask)) {
			index->slots[hole] = index->slots[at];
			hole = at;
		}
	}
	index->slots[hole].number = 0;
	index->count--;
}

void map_index_clear(struct map_index *index)
{
	if (index->count)
		memset(index->slots, 0, index->slot_count * sizeof *index->slots);
	index->count = 0;
}

void map_index_release(struct map_index *index)
{
	free(index->slots);
	*index = (struct map_index){0};
}
