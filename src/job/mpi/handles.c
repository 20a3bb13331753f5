#include "job/mpi/handles.h"

#include "base/hash.h"
#include "job/mpi/host.h"

#include <stdlib.h>

enum { FIRST_SIZE = 64 };

static struct handle_entry *find_entry(const struct handles *map, uint64_t handle)
{
	uint32_t at;

	if (!map->entries)
		return NULL;
	for (at = hash_fold(handle) & map->mask; map->entries[at].used; at = (at + 1) & map->mask)
		if (map->entries[at].object && map->entries[at].handle == handle)
			return &map->entries[at];
	return NULL;
}

void *handles_find(const struct handles *map, uint64_t handle)
{
	struct handle_entry *entry = find_entry(map, handle);

	return entry ? entry->object : NULL;
}

static void put(struct handles *map, uint64_t handle, void *object)
{
	uint32_t at = hash_fold(handle) & map->mask;

	while (map->entries[at].object)
		at = (at + 1) & map->mask;
	map->taken += !map->entries[at].used;
	map->entries[at] = (struct handle_entry){handle, object, 1};
}

/* Removes deleted entries. If they were the majority, the table keeps its size. */
static int grow(struct handles *map)
{
	struct handles grown = {.mask = map->entries ? map->mask : FIRST_SIZE - 1};
	uint32_t living = 0;

	for (uint32_t i = 0; map->entries && i <= map->mask; i++)
		living += map->entries[i].object != NULL;
	if (living > map->mask / 4)
		grown.mask = 2 * map->mask + 1;
	grown.entries = host_table(grown.mask + 1, sizeof *grown.entries);
	if (!grown.entries)
		return 0;
	for (uint32_t i = 0; map->entries && i <= map->mask; i++)
		if (map->entries[i].object)
			put(&grown, map->entries[i].handle, map->entries[i].object);
	free(map->entries);
	*map = grown;
	return 1;
}

int handles_set(struct handles *map, uint64_t handle, void *object)
{
	struct handle_entry *entry = find_entry(map, handle);

	if (entry) {
		entry->object = object;
		return 1;
	}
	if ((!map->entries || 4 * (map->taken + 1) > 3 * (map->mask + 1)) && !grow(map))
		return 0;
	put(map, handle, object);
	return 1;
}

void *handles_remove(struct handles *map, uint64_t handle)
{
	struct handle_entry *entry = find_entry(map, handle);
	void *object = entry ? entry->object : NULL;

	if (entry)
		entry->object = NULL;
	return object;
}
