#include "trace/call_table.h"

#include "base/hash.h"
#include "base/memory.h"
#include "trace/intern.h"
#include "trace/reader.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16, FEW = 64, FIRST_SLOTS = 4 * FEW };

/* What makes a call what it is. */
static const void *bytes_of(const struct call *call)
{
	return &call->outline;
}

static uint8_t *tags_of(const struct call_table *table)
{
	return (uint8_t *)(table->items + table->room);
}

static uint8_t tag_of(uint64_t hash)
{
	return (uint8_t)(hash >> 56);
}

static bool is_equal(const struct call *one, const struct call *other, size_t bytes)
{
	return one->size == bytes && memcmp(bytes_of(one), bytes_of(other), bytes) == 0;
}

static const struct call *find_among_few(const struct call_table *table, const struct call *call,
                                         size_t bytes, uint64_t hash)
{
	const uint8_t *tags = tags_of(table), *at = tags, *end = tags + table->count;

	while (at < end && (at = memchr(at, tag_of(hash), (size_t)(end - at)))) {
		const struct call *found = table->items[at++ - tags];
		if (is_equal(found, call, bytes))
			return found;
	}
	return NULL;
}

static const struct call *find_among_many(const struct call_table *table, const struct call *call,
                                          size_t bytes, uint64_t hash)
{
	uint32_t mask = table->slot_count - 1;

	for (uint32_t at = (uint32_t)hash & mask; table->slots[at]; at = (at + 1) & mask) {
		uint32_t id = table->slots[at] - 1;
		if (tags_of(table)[id] == tag_of(hash) && is_equal(table->items[id], call, bytes))
			return table->items[id];
	}
	return NULL;
}

/* Not much of the room may be left over. */
static void make_room(struct call_table *table)
{
	struct call_table larger = *table;

	if (table->count < table->room)
		return;
	larger.room = table->room ? table->room + table->room / 4 : FIRST_ROOM;
	larger.items = memory_new(larger.room, sizeof *larger.items + 1);
	if (table->count) {
		memcpy(larger.items, table->items, table->count * sizeof *table->items);
		memcpy(tags_of(&larger), tags_of(table), table->count);
	}
	free(table->items);
	*table = larger;
}

static void put_into_slot(struct call_table *table, uint32_t id, uint64_t hash)
{
	uint32_t mask = table->slot_count - 1, at = (uint32_t)hash & mask;

	while (table->slots[at])
		at = (at + 1) & mask;
	table->slots[at] = id + 1;
}

static void make_slots(struct call_table *table)
{
	if (table->count < FEW || table->count * 2ull < table->slot_count)
		return;
	free(table->slots);
	table->slot_count = table->slot_count ? 2 * table->slot_count : FIRST_SLOTS;
	table->slots = memory_new(table->slot_count, sizeof *table->slots);
	for (uint32_t id = 0; id < table->count; id++)
		put_into_slot(table, id, hash_bytes(bytes_of(table->items[id]), table->items[id]->size));
}

static const struct call *add(struct call_table *table, struct arena *arena, const struct call *call,
                              size_t bytes, uint64_t hash)
{
	struct call *added = arena_alloc(arena, 1, offsetof(struct call, outline) + bytes);

	make_room(table);
	make_slots(table);
	added->id = table->count;
	added->size = (uint32_t)bytes;
	memcpy(&added->outline, bytes_of(call), bytes);
	table->items[table->count] = added;
	tags_of(table)[table->count] = tag_of(hash);
	if (table->slots)
		put_into_slot(table, table->count, hash);
	table->count++;
	return added;
}

const struct call *call_table_put(struct call_table *table, struct arena *arena, const struct call *call,
                                  size_t bytes)
{
	uint64_t hash = hash_bytes(bytes_of(call), bytes);
	const struct call *found = table->slots ? find_among_many(table, call, bytes, hash)
	                                        : find_among_few(table, call, bytes, hash);

	return found ? found : add(table, arena, call, bytes, hash);
}

void call_table_release(struct call_table *table)
{
	free(table->items);
	free(table->slots);
	*table = (struct call_table){0};
}
