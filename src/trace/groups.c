#include "trace/groups.h"

#include "base/map.h"
#include "trace/process.h"

#include <stdlib.h>

void text_add_varint(struct text *out, uint64_t number)
{
	uint8_t bytes[VARINT_MAX];

	text_add_bytes(out, (char *)bytes, (size_t)(put_varint(bytes, number) - bytes));
}

void text_add_long(struct text *out, enum record_kind kind, const void *body, size_t size)
{
	text_add_bytes(out, &(char){(char)(HEAD_LONG | kind)}, 1);
	text_add_varint(out, size);
	if (size)
		text_add_bytes(out, body, size);
}

static uint32_t step_at(const uint32_t *ranks, size_t at)
{
	return ranks[at] - (at ? ranks[at - 1] : 0);
}

/* The number of steps from `at` on that repeat those from `at - back` on. */
static size_t count_repeated(const uint32_t *ranks, size_t count, size_t at, size_t back)
{
	size_t length = 0;

	while (at + length < count && step_at(ranks, at + length) == step_at(ranks, at + length - back))
		length++;
	return length;
}

/* A repetition mostly begins where the same two steps occurred the last time, or repeats one step. */
void put_ranks(struct text *out, const uint32_t *ranks, size_t count)
{
	struct map pairs = {0};

	for (size_t at = 0, length; at < count; at += length) {
		uint32_t step = step_at(ranks, at), *last = NULL;
		size_t back = 1;
		length = at ? count_repeated(ranks, count, at, 1) : 0;
		if (at && (last = map_find(&pairs, map_key(step_at(ranks, at - 1), step)))) {
			size_t longer = count_repeated(ranks, count, at, at - *last);
			if (longer > length) {
				back = at - *last;
				length = longer;
			}
		}
		if (at)
			*map_put(&pairs, map_key(step_at(ranks, at - 1), step)) = (uint32_t)at;
		if (length > 1) {
			text_add_varint(out, 2 * (uint64_t)length + 1);
			text_add_varint(out, back);
		} else {
			text_add_varint(out, 2 * (uint64_t)step);
			length = 1;
		}
	}
	map_release(&pairs);
}

bool take_ranks(struct cursor *from, uint32_t *ranks, size_t count)
{
	size_t at = 0;

	while (at < count) {
		uint64_t code = take_varint(from), length = code % 2 ? code / 2 : 1;
		uint64_t back = code % 2 ? take_varint(from) : 0;
		if (from->bad || !length || length > count - at || (code % 2 && (!back || back > at)))
			return false;
		for (size_t end = at + length; at < end; at++) {
			uint64_t step = back ? step_at(ranks, at - back) : code / 2;
			uint64_t rank = (at ? ranks[at - 1] : 0) + step;
			if (rank >= PROCESS_UNKNOWN || (at && !step))
				return false;
			ranks[at] = (uint32_t)rank;
		}
	}
	return true;
}

/* A group while it is read. */
struct group_reading {
	struct reader *reader;
	const struct chunk *group;
	const struct map *tables; /* by number: index in `shared` */
	const struct shared_chunks *shared;
	struct cursor payload;
	struct chunk member; /* the common values of its chunks */
};

/* The table with this number; NULL: it is missing. */
static const struct chunk *find_table(const struct group_reading *reading, uint64_t number)
{
	const uint32_t *index = map_find(reading->tables, map_key(number, 0));

	return index ? &reading->shared->tables.items[*index] : NULL;
}

static const char *take_order(const struct group_reading *reading, const struct chunk *table,
                              struct chunk_shape *shape)
{
	struct cursor from = {table->payload, table->payload + table->length, false};
	struct ordered_call *order = arena_array(&reading->reader->arena, struct ordered_call,
	                                         table->length / 2 + 1);
	uint64_t event = 0;

	while (cursor_left(&from)) {
		uint64_t step = take_varint(&from), call = take_varint(&from);
		if (from.bad || step > UINT32_MAX || call >= NO_CALL || (shape->order_count && !step) ||
		    (event += step) >= UINT32_MAX)
			return "its order of calls is damaged";
		order[shape->order_count++] = (struct ordered_call){(uint32_t)event, (uint32_t)call};
	}
	shape->order = order;
	return NULL;
}

static const char *take_head(struct group_reading *reading)
{
	struct chunk_shape *shape = arena_new(&reading->reader->arena, struct chunk_shape);
	const struct chunk *table = find_table(reading, take_varint(&reading->payload));
	uint64_t order = take_varint(&reading->payload), stream = take_varint(&reading->payload);
	uint64_t sequence = take_varint(&reading->payload), events = take_varint(&reading->payload);

	if (reading->payload.bad || stream > STREAM_GROUP || sequence > UINT32_MAX || events > UINT32_MAX)
		return "its head is damaged";
	if (!table || (order && !find_table(reading, order - 1)))
		return "its table is missing";
	shape->table = table->payload;
	shape->table_length = table->length;
	reading->member = *reading->group;
	reading->member.shape = shape;
	reading->member.events = (uint32_t)events;
	reading->member.identity.stream = stream ? (uint32_t)stream - 1 : STREAM_PROCESS;
	reading->member.identity.sequence = (uint32_t)sequence;
	return order ? take_order(reading, find_table(reading, order - 1), shape) : NULL;
}

static const char *take_members(struct group_reading *reading)
{
	uint64_t count = take_varint(&reading->payload), common;
	const char *problem = NULL;
	uint32_t *ranks;

	if (count > GROUP_MAX)
		return "it has too many chunks";
	ranks = memory_new(count + 1, sizeof *ranks);
	if (!take_ranks(&reading->payload, ranks, count))
		problem = "its ranks are damaged";
	common = take_varint(&reading->payload);
	for (uint64_t i = 0; i < count && !problem; i++) {
		struct chunk chunk = reading->member;
		uint64_t length = common ? common - 1 : take_varint(&reading->payload);
		chunk.identity.process = ranks[i];
		if (chunk.identity.stream != STREAM_PROCESS)
			chunk.base_tick = take_varint(&reading->payload);
		chunk.payload = take_bytes(&reading->payload, length);
		chunk.length = (uint32_t)length;
		if (chunk.payload)
			reader_add_chunk(reading->reader, &chunk);
		else
			problem = "one of its chunks is cut";
	}
	free(ranks);
	return problem;
}

void take_groups(struct reader *reader, const struct shared_chunks *shared)
{
	struct map tables = {0};

	for (size_t i = 0; i < shared->tables.count; i++) {
		uint32_t *index = map_put(&tables, map_key(shared->tables.items[i].identity.sequence, 0));
		if (*index == MAP_NONE)
			*index = (uint32_t)i;
	}
	for (size_t i = 0; i < shared->groups.count; i++) {
		const struct chunk *group = &shared->groups.items[i];
		struct group_reading reading = {reader,
		                                group,
		                                &tables,
		                                shared,
		                                {group->payload, group->payload + group->length, false},
		                                {0}};
		const char *problem = take_head(&reading);
		if (!problem)
			problem = take_members(&reading);
		if (problem)
			note_damage(reader, group->part, group->offset, cursor_left(&reading.payload),
			            "%s: %s; %zu bytes skipped", name_chunk(reader, group), problem,
			            cursor_left(&reading.payload));
	}
	map_release(&tables);
}
