#include "check/known/process_ends.h"

void ends_add_world(struct process_ends *ends, uint64_t world, uint32_t size)
{
	array_add(&ends->worlds, (struct ended_world){.world = world, .size = size});
}

void ends_add_exception(struct process_ends *ends, uint64_t world, uint32_t rank, uint32_t end)
{
	*map_put(&ends->exceptions, map_key(world, rank)) = end;
	ends->all_finalized = false;
	ends->nobody_moves &= (end & (END_STUCK | END_DEADLOCKED)) != 0;
}

void ends_put(struct message_writer *out, const struct process_ends *ends)
{
	put_number(out, ends->worlds.count);
	for (size_t i = 0; i < ends->worlds.count; i++) {
		put_word(out, ends->worlds.items[i].world);
		put_number(out, ends->worlds.items[i].size);
	}
	put_number(out, ends->exceptions.count);
	for (size_t i = 0; i < ends->exceptions.slot_count; i++) {
		const struct map_slot *slot = &ends->exceptions.slots[i];
		if (!slot->mark)
			continue;
		put_word(out, slot->key.a);
		put_number(out, slot->key.b);
		put_number(out, slot->value);
	}
}

bool ends_take(struct cursor *in, struct process_ends *ends)
{
	uint32_t count = take_count(in, UINT32_MAX);

	*ends = (struct process_ends){.is_known = true, .all_finalized = true, .nobody_moves = true};
	for (uint32_t i = 0; i < count && !in->bad; i++) {
		uint64_t world = take_u64(in);
		ends_add_world(ends, world, take_u32(in));
	}
	count = take_count(in, UINT32_MAX);
	for (uint32_t i = 0; i < count && !in->bad; i++) {
		uint64_t world = take_u64(in);
		uint32_t rank = take_u32(in), end = take_u32(in);
		ends_add_exception(ends, world, rank, end);
	}
	if (in->bad)
		ends_release(ends);
	return !in->bad;
}

void ends_release(struct process_ends *ends)
{
	array_release(&ends->worlds);
	map_release(&ends->exceptions);
	*ends = (struct process_ends){0};
}

static bool is_member(const struct process_ends *ends, uint64_t world, uint32_t rank)
{
	for (size_t i = 0; i < ends->worlds.count; i++)
		if (ends->worlds.items[i].world == world)
			return rank < ends->worlds.items[i].size;
	return false;
}

bool process_has_finalized(const struct process_ends *ends, uint64_t world, uint32_t rank)
{
	return is_member(ends, world, rank) && !map_find(&ends->exceptions, map_key(world, rank));
}

static bool has_flag(const struct process_ends *ends, uint64_t world, uint32_t rank, uint32_t flag)
{
	const uint32_t *end = map_find(&ends->exceptions, map_key(world, rank));

	return is_member(ends, world, rank) && end && *end & flag;
}

bool process_is_stuck(const struct process_ends *ends, uint64_t world, uint32_t rank)
{
	return has_flag(ends, world, rank, END_STUCK | END_DEADLOCKED);
}

bool process_is_deadlocked(const struct process_ends *ends, uint64_t world, uint32_t rank)
{
	return has_flag(ends, world, rank, END_DEADLOCKED);
}

bool process_was_stopped(const struct process_ends *ends, uint64_t world, uint32_t rank)
{
	const uint32_t *end = map_find(&ends->exceptions, map_key(world, rank));

	return is_member(ends, world, rank) && end && (*end & (END_STUCK - 1)) == END_STOPPED;
}

bool process_vanished_first(const struct process_ends *ends, uint64_t world, uint32_t rank)
{
	return has_flag(ends, world, rank, END_FIRST);
}
