#include "trace/decoded.h"

#include "base/memory.h"

#include <stdlib.h>

static size_t size_of(uint32_t events)
{
	return sizeof(struct decoded_chunk) + events * sizeof(struct decoded_event);
}

void decoded_begin(struct event_iter *iter)
{
	struct reader *reader = iter->reader;
	const struct chunk *chunk = iter->chunk;
	const int64_t size = (int64_t)size_of(chunk->events);

	if (!chunk->sealed || !chunk->events || chunk->decoded ||
	    __atomic_load_n(&reader->decoded_room, __ATOMIC_RELAXED) < size ||
	    __atomic_sub_fetch(&reader->decoded_room, size, __ATOMIC_RELAXED) < 0)
		return;
	iter->recorded = memory_new(1, (size_t)size);
	iter->recorded->room = chunk->events;
}

void decoded_free(struct decoded_chunk *decoded)
{
	if (!decoded)
		return;
	array_release(&decoded->stops);
	free(decoded);
}

void decoded_drop(struct event_iter *iter)
{
	decoded_free(iter->recorded);
	iter->recorded = NULL;
}

void decoded_add(struct event_iter *iter, const struct event *events, uint32_t count, uint64_t last_end)
{
	struct decoded_chunk *recorded = iter->recorded;
	uint64_t longest = 0;

	if (count > recorded->room - recorded->count) {
		decoded_drop(iter);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t gap = events[i].start - last_end, duration = events[i].end - events[i].start;
		recorded->events[recorded->count++] = (struct decoded_event){
			(uint32_t)gap, (uint32_t)duration, events[i].id};
		longest |= gap | duration;
		last_end = events[i].end;
	}
	if (longest > UINT32_MAX)
		decoded_drop(iter);
}

void decoded_add_record(struct event_iter *iter, uint32_t place)
{
	struct decoded_chunk *recorded = iter->recorded;
	const size_t count = recorded->stops.count;

	if (!count || recorded->stops.items[count - 1].event != recorded->count)
		array_add(&recorded->stops, (struct decoded_stop){recorded->count, place});
}

void decoded_keep(struct event_iter *iter)
{
	struct chunk *chunk = iter->chunk;
	struct decoded_chunk *recorded = iter->recorded;

	if (recorded->count != chunk->events || iter->damaged) {
		decoded_drop(iter);
		return;
	}
	array_add(&recorded->stops, (struct decoded_stop){recorded->count, chunk->length});
	chunk->decoded = recorded;
	iter->recorded = NULL;
}
