#include "trace/intern.h"

#include "base/hash.h"

#include <string.h>

enum { FIRST_SLOTS = 8 };

/* One hash byte per slot follows the slots. It avoids most comparisons with other items. */
static uint8_t *tag_of(const struct interner *interner, size_t slot)
{
	return (uint8_t *)(interner->slots + interner->slot_count) + slot;
}

/* The slot of the bytes, or the free slot for them, and its tag. */
static size_t look_up(const struct interner *interner, const void *bytes, size_t size, uint8_t *its_tag)
{
	uint64_t hash = hash_bytes(bytes, size);
	uint8_t tag = (uint8_t)(hash >> 56);
	size_t mask = interner->slot_count - 1, at = hash_fold(hash) & mask;

	for (; interner->slots[at]; at = (at + 1) & mask) {
		const struct interned *item = interner->slots[at];
		if (*tag_of(interner, at) == tag && item->size == size &&
		    memcmp(item->bytes, bytes, size) == 0)
			break;
	}
	*its_tag = tag;
	return at;
}

/* Sets the tag, too. */
static struct interned **find_slot(const struct interner *interner, const void *bytes, size_t size)
{
	uint8_t tag;
	size_t at = look_up(interner, bytes, size, &tag);

	*tag_of(interner, at) = tag;
	return &interner->slots[at];
}

const struct interned *intern_find(const struct interner *interner, const void *bytes, size_t size)
{
	uint8_t tag;

	return interner->slot_count ? interner->slots[look_up(interner, size ? bytes : "", size, &tag)]
	                            : NULL;
}

static void make_room(struct interner *interner)
{
	struct interner larger = {
		.arena = interner->arena, .count = interner->count, .is_bare = interner->is_bare};

	if (interner->count * 4 < interner->slot_count * 3)
		return;
	larger.slot_count = interner->slot_count ? interner->slot_count * 2 : FIRST_SLOTS;
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

	/* memcpy() needs an address even for no bytes. */
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
