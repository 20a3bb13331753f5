#include "analysis/engine/key_table.h"

/* A table with few slots just grows, because keys will probably occur again. */
enum { FIRST_SLOTS = 64, FEW_SLOTS = 8192 };

void key_table_init(struct key_table *table, uint32_t keys, uint32_t payload_words,
                    bool (*is_idle)(void *context, int64_t *payload), void *context)
{
	uint32_t words = keys + payload_words;

	*table = (struct key_table){
		.mask = FIRST_SLOTS - 1, .keys = keys, .is_idle = is_idle, .context = context};
	table->records.stride = words ? words : 1;
	table->slots = memory_new(FIRST_SLOTS, sizeof *table->slots);
}

void key_table_release(struct key_table *table)
{
	free(table->slots);
	record_pool_release(&table->records);
}

void key_table_clear(struct key_table *table)
{
	memset(table->slots, 0, ((size_t)table->mask + 1) * sizeof *table->slots);
	table->count = table->records.used = table->records.free_one = 0;
}

static void insert(struct key_table *table, struct key_slot slot)
{
	uint32_t at = slot.hash & table->mask;

	while (table->slots[at].record)
		at = (at + 1) & table->mask;
	table->slots[at] = slot;
}

static void rebuild(struct key_table *table, uint32_t slot_count)
{
	struct key_slot *old = table->slots;
	uint32_t old_count = table->mask + 1;

	table->slots = memory_new(slot_count, sizeof *table->slots);
	table->mask = slot_count - 1;
	for (uint32_t i = 0; i < old_count; i++)
		if (old[i].record)
			insert(table, old[i]);
	free(old);
}

/* Empties the slots of idle keys. The table then has to be rebuilt, because other keys were placed after them. */
static void throw_out_idle(struct key_table *table)
{
	if (!table->is_idle)
		return;
	for (uint32_t i = 0; i <= table->mask; i++) {
		struct key_slot *slot = &table->slots[i];
		if (!slot->record || !table->is_idle(table->context, key_payload(table, slot->record - 1)))
			continue;
		record_give_back(&table->records, slot->record - 1);
		slot->record = 0;
		table->count--;
	}
}

void key_table_sweep(struct key_table *table)
{
	throw_out_idle(table);
	rebuild(table, table->mask + 1);
}

uint32_t key_table_add(struct key_table *table, const int64_t *key, uint32_t hash)
{
	uint32_t record;

	if (table->count >= (table->mask + 1) / 2) {
		uint32_t slot_count = table->mask + 1;

		/* At most half of the slots are used. If removing idle keys frees too few slots, their number
		 * is doubled, so that this is not repeated too often. */
		if (slot_count >= FEW_SLOTS)
			throw_out_idle(table);
		rebuild(table, table->count > slot_count / 4 ? slot_count * 2 : slot_count);
	}
	record = record_take(&table->records);
	memset(record_at(&table->records, record), 0, table->records.stride * sizeof *key);
	memcpy(record_at(&table->records, record), key, table->keys * sizeof *key);
	insert(table, (struct key_slot){.hash = hash, .record = record + 1});
	table->count++;
	return record;
}
