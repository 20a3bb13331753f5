#include "analysis/model/pair_map.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 64 };

struct pair_slot {
	struct pair key;
	uint32_t value;
	bool used;
};

static size_t hash(struct pair key)
{
	uint64_t mixed = (key.a ^ key.b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;

	mixed = (mixed ^ mixed >> 32) * 0xc4ceb9fe1a85ec53u;
	return mixed ^ mixed >> 29;
}

static bool equal(struct pair x, struct pair y)
{
	return x.a == y.a && x.b == y.b;
}

/* Where the key is, or would be. */
static struct pair_slot *seek(const struct pair_map *map, struct pair key)
{
	size_t at = hash(key) & (map->slot_count - 1);

	while (map->slots[at].used && !equal(map->slots[at].key, key))
		at = (at + 1) & (map->slot_count - 1);
	return &map->slots[at];
}

static void grow(struct pair_map *map)
{
	struct pair_map larger = {.slot_count = map->slot_count ? map->slot_count * 2 : FIRST_SLOTS,
	                          .count = map->count};

	larger.slots = memory_new(larger.slot_count, sizeof *larger.slots);
	for (size_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].used)
			*seek(&larger, map->slots[i].key) = map->slots[i];
	free(map->slots);
	*map = larger;
}

uint32_t *pair_map_find(const struct pair_map *map, struct pair key)
{
	struct pair_slot *slot = map->slot_count ? seek(map, key) : NULL;

	return slot && slot->used ? &slot->value : NULL;
}

/* Processes are often a power of two, and pairs of them a small multiple of it: these fill half of the slots. */
static bool is_full(const struct pair_map *map)
{
	return map->count * 8 >= map->slot_count * 5;
}

uint32_t *pair_map_put(struct pair_map *map, struct pair key)
{
	struct pair_slot *slot;

	if (is_full(map))
		grow(map);
	slot = seek(map, key);
	if (!slot->used) {
		*slot = (struct pair_slot){.key = key, .value = UINT32_MAX, .used = true};
		map->count++;
	}
	return &slot->value;
}

/* Those behind it that would not be found across the hole move up. */
void pair_map_remove(struct pair_map *map, struct pair key)
{
	size_t mask = map->slot_count - 1, hole, at;

	if (!pair_map_find(map, key))
		return;
	hole = (size_t)(seek(map, key) - map->slots);
	for (at = (hole + 1) & mask; map->slots[at].used; at = (at + 1) & mask) {
		size_t home = hash(map->slots[at].key) & mask;
		if (((at - home) & mask) >= ((at - hole) & mask)) {
			map->slots[hole] = map->slots[at];
			hole = at;
		}
	}
	map->slots[hole].used = false;
	map->count--;
}

void pair_map_release(struct pair_map *map)
{
	free(map->slots);
	*map = (struct pair_map){0};
}
