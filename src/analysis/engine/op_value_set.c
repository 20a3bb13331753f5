#include "analysis/engine/op_value_set.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 8 };

/* 0 stands for an empty slot, so whether 0 itself was seen is kept apart. */
struct value_table {
	uint64_t mask;
	bool has_zero;
	int64_t slots[];
};

static size_t words_of(const struct value_table *table)
{
	return table->mask + 1 + sizeof *table / sizeof *table->slots;
}

static struct value_table *table_new(uint64_t slot_count)
{
	struct value_table *table = memory_new(1, sizeof *table + slot_count * sizeof *table->slots);

	table->mask = slot_count - 1;
	return table;
}

/* Where the value is, or would be. */
static int64_t *seek(struct value_table *table, int64_t value)
{
	uint64_t mixed = (uint64_t)value * 0x9e3779b97f4a7c15u;
	uint64_t at = (mixed ^ mixed >> 32) & table->mask;

	while (table->slots[at] && table->slots[at] != value)
		at = (at + 1) & table->mask;
	return &table->slots[at];
}

static bool has(struct value_table *table, int64_t value)
{
	return value ? *seek(table, value) != 0 : table->has_zero;
}

static void keep(struct value_table *table, int64_t value)
{
	if (value)
		*seek(table, value) = value;
	else
		table->has_zero = true;
}

/* NULL if there is no room. */
static struct value_table *larger(struct value_table *old, size_t *room)
{
	uint64_t slot_count = old ? (old->mask + 1) * 2 : FIRST_SLOTS;
	size_t given_back = old ? words_of(old) : 0;
	struct value_table *table = table_new(slot_count);

	if (words_of(table) > *room + given_back) {
		free(table);
		return NULL;
	}
	*room = *room + given_back - words_of(table);
	for (uint64_t i = 0; old && i <= old->mask; i++)
		keep(table, old->slots[i]);
	table->has_zero = old && old->has_zero;
	free(old);
	return table;
}

static uint64_t add_second(struct value_set *set, int64_t value, size_t *room)
{
	struct value_table *table;

	if (set->only == value)
		return 0;
	table = larger(NULL, room);
	if (!table)
		return 1;
	keep(table, set->only);
	keep(table, value);
	set->table = table;
	set->count = 2;
	return 0;
}

uint64_t value_set_add(struct value_set *set, int64_t value, size_t *room)
{
	if (set->count == 0) {
		*set = (struct value_set){.count = 1, .only = value};
		return 0;
	}
	if (set->count == 1)
		return add_second(set, value, room);
	if (has(set->table, value))
		return 0;
	if (set->count > set->table->mask / 2) {
		struct value_table *table = larger(set->table, room);
		if (!table)
			return 1;
		set->table = table;
	}
	keep(set->table, value);
	set->count++;
	return 0;
}

void value_set_clear(struct value_set *set, size_t *room)
{
	if (set->count > 1) {
		*room += words_of(set->table);
		free(set->table);
	}
	*set = (struct value_set){0};
}
