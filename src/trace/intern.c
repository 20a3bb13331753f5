#include "trace/intern.h"

#include "base/hash.h"

#include <string.h>

/* A trace of many processes has as many small tables, which may be full but for one slot: thanks to the tags, going through
 * all of it costs little. */
enum { FIRST_SLOTS = 8, FEW_SLOTS = 64 };

static size_t more_slots(size_t count)
{
	return !count ? FIRST_SLOTS : count < FEW_SLOTS ? count + count / 2 : count * 2;
}

/* Slots are followed by a byte of the hash for each, so that few items are looked at in vain. */
static uint8_t *tag_of(const struct interner *interner, size_t slot)
{
	return (uint8_t *)(interner->slots + interner->slot_count) + slot;
}

/* Where it is, or is to be put: its tag stands there then. */
static struct interned **find_slot(const struct interner *interner, const void *bytes, size_t size)
{
	uint64_t hash = hash_bytes(bytes, size);
	uint8_t tag = (uint8_t)(hash >> 56);
	size_t count = interner->slot_count, at = (uint64_t)hash_fold(hash) * count >> 32;

	for (; interner->slots[at]; at = at + 1 == count ? 0 : at + 1) {
		const struct interned *item = interner->slots[at];
		if (*tag_of(interner, at) == tag && item->size == size &&
		    memcmp(item->bytes, bytes, size) == 0)
			break;
	}
	*tag_of(interner, at) = tag;
	return &interner->slots[at];
}

static bool has_room(const struct interner *interner)
{
	if (interner->slot_count <= FEW_SLOTS)
		return interner->count + 1 < interner->slot_count;
	return interner->count * 4 < interner->slot_count * 3;
}

static void make_room(struct interner *interner)
{
	struct interner larger = {
		.arena = interner->arena, .count = interner->count, .is_bare = interner->is_bare};

	if (has_room(interner))
		return;
	larger.slot_count = more_slots(interner->slot_count);
	larger.slots = arena_lend(interner->arena, larger.slot_count, sizeof *larger.slots + 1);
	for (size_t i = 0; i < interner->slot_count; i++) {
		struct interned *item = interner->slots[i];
		if (item)
			*find_slot(&larger, item->bytes, item->size) = item;
	}
	arena_give_back(interner->arena, interner->slots);
	*interner = larger;
}

const struct interned *intern(struct interner *interner, const void *bytes, size_t size)
{
	struct interned **slot;

	/* Of nothing there may be no address, which the C library does not like. */
	if (!size)
		bytes = "";
	make_room(interner);
	slot = find_slot(interner, bytes, size);
	if (*slot)
		return *slot;
	*slot = arena_alloc(interner->arena, 1, sizeof **slot + size + !interner->is_bare);
	(*slot)->number = (uint32_t)interner->count++;
	(*slot)->size = (uint32_t)size;
	memcpy((*slot)->bytes, bytes, size);
	return *slot;
}
