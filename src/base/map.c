#include "base/map.h"

#include "base/memory.h"

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

/* Words */

static uint32_t mark_of(struct map_key key)
{
	return hash_fold(hash_word(hash_word(0, key.a), key.b)) | MAP_USED;
}

/* The slot of the key, or the slot where it would be inserted. */
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

static void grow(struct map *map)
{
	struct map larger = {.slot_count = more_slots(map->slot_count), .count = map->count};

	larger.slots = memory_new(larger.slot_count, sizeof *larger.slots);
	for (size_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].mark)
			*seek(&larger, map->slots[i].key, map->slots[i].mark) = map->slots[i];
	free(map->slots);
	*map = larger;
}

uint32_t *map_find(const struct map *map, struct map_key key)
{
	struct map_slot *slot = map->slot_count ? seek(map, key, mark_of(key)) : NULL;

	return slot && slot->mark ? &slot->value : NULL;
}

uint32_t *map_put(struct map *map, struct map_key key)
{
	uint32_t mark = mark_of(key);
	struct map_slot *slot = map->slot_count ? seek(map, key, mark) : NULL;

	if (slot && slot->mark)
		return &slot->value;
	if (!slot || is_full(map->count + 1, map->slot_count)) {
		grow(map);
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
		/* True if a search for the item at `at` would still find it at `hole`. */
		if (((at - (map->slots[at].mark & mask)) & mask) >= ((at - hole) & mask)) {
			map->slots[hole] = map->slots[at];
			hole = at;
		}
	}
	map->slots[hole].mark = 0;
	map->count--;
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

static void grow_index(struct map_index *index)
{
	struct map_index larger = {.slot_count = more_slots(index->slot_count), .count = index->count};

	larger.slots = memory_new(larger.slot_count, sizeof *larger.slots);
	for (size_t i = 0; i < index->slot_count; i++)
		if (index->slots[i].number)
			insert(&larger, index->slots[i]);
	free(index->slots);
	*index = larger;
}

void map_index_add(struct map_index *index, uint64_t hash, uint32_t number)
{
	if (is_full(index->count + 1, index->slot_count))
		grow_index(index);
	insert(index, (struct map_index_slot){.hash = hash_fold(hash), .number = number + 1});
	index->count++;
}

void map_index_release(struct map_index *index)
{
	free(index->slots);
	*index = (struct map_index){0};
}

/* Texts */

static uint64_t hash_of(const char *text)
{
	return hash_bytes(text, strlen(text));
}

static uint32_t find_text(const struct text_map *map, const char *text, uint64_t hash)
{
	return map_index_find(&map->index, hash, i, strcmp(map->items[i].text, text) == 0);
}

void *text_map_find(const struct text_map *map, const char *text)
{
	uint32_t at = find_text(map, text, hash_of(text));

	return at == MAP_NONE ? NULL : map->items[at].value;
}

uint32_t text_map_number(struct text_map *map, const char *text)
{
	uint64_t hash = hash_of(text);
	uint32_t at = find_text(map, text, hash);

	if (at != MAP_NONE)
		return at;
	map_index_add(&map->index, hash, (uint32_t)map->count);
	array_add(map, (struct text_map_entry){.text = text});
	return (uint32_t)map->count - 1;
}

void **text_map_put(struct text_map *map, const char *text)
{
	uint32_t number = text_map_number(map, text); /* first, as items may move */

	return &map->items[number].value;
}

void text_map_release(struct text_map *map)
{
	map_index_release(&map->index);
	array_release(map);
}
