#include "base/map.h"

static uint64_t hash_of(const char *text)
{
	return hash_bytes(text, strlen(text));
}

static uint32_t find(const struct text_map *map, const char *text, uint64_t hash)
{
	return map_index_find(&map->index, hash, i, strcmp(map->items[i].text, text) == 0);
}

void *text_map_find(const struct text_map *map, const char *text)
{
	uint32_t at = find(map, text, hash_of(text));

	return at == MAP_NONE ? NULL : map->items[at].value;
}

uint32_t text_map_number(struct text_map *map, const char *text)
{
	uint64_t hash = hash_of(text);
	uint32_t at = find(map, text, hash);

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
