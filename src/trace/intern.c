#include "trace/intern.h"

#include <string.h>

enum { FIRST_SLOTS = 8 };

struct intern_slot {
	struct interned *item;
	uint32_t hash, size; /* the lower halves */
};

static uint64_t hash_bytes(const uint8_t *bytes, size_t size)
{
	uint64_t hash = 0x9e3779b97f4a7c15 ^ size;

	while (size) {
		uint64_t word = 0;
		size_t step = size < sizeof word ? size : sizeof word;
		memcpy(&word, bytes, step);
		hash = (hash ^ word) * 0xd6e8feb86659fd93;
		hash ^= hash >> 32;
		bytes += step;
		size -= step;
	}
	return hash;
}

static struct intern_slot *find_slot(const struct interner *interner, uint64_t hash, const void *bytes,
                                     size_t size)
{
	size_t mask = interner->slot_count - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct intern_slot *slot = &interner->slots[i];
		if (!slot->item)
			return slot;
		if (slot->hash == (uint32_t)hash && slot->size == size &&
		    memcmp(slot->item->bytes, bytes, size) == 0)
			return slot;
	}
}

static void make_room(struct interner *interner)
{
	struct interner larger = {.arena = interner->arena, .count = interner->count};

	if (interner->count * 4 < interner->slot_count * 3)
		return;
	larger.slot_count = interner->slot_count ? interner->slot_count * 2 : FIRST_SLOTS;
	larger.slots = arena_array(interner->arena, struct intern_slot, larger.slot_count);
	for (size_t i = 0; i < interner->slot_count; i++) {
		const struct intern_slot *slot = &interner->slots[i];
		if (slot->item)
			*find_slot(&larger, slot->hash, slot->item->bytes, slot->size) = *slot;
	}
	*interner = larger;
}

const struct interned *intern(struct interner *interner, const void *bytes, size_t size)
{
	uint64_t hash;
	struct intern_slot *slot;

	/* Of nothing there may be no address, which the C library does not like. */
	if (!size)
		bytes = "";
	hash = hash_bytes(bytes, size);
	make_room(interner);
	slot = find_slot(interner, hash, bytes, size);
	if (slot->item)
		return slot->item;
	slot->hash = (uint32_t)hash;
	slot->size = (uint32_t)size;
	slot->item = arena_alloc(interner->arena, 1, sizeof *slot->item + size + 1);
	slot->item->number = interner->count++;
	memcpy(slot->item->bytes, bytes, size);
	return slot->item;
}
