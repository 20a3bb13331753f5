#include "check/execution/clocks.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct clock_chunk *chunk_keep(struct clock_chunk *chunk)
{
	if (chunk)
		chunk->references++;
	return chunk;
}

static void chunk_drop(struct clock_chunk *chunk)
{
	if (chunk && --chunk->references == 0)
		free(chunk);
}

void clock_drop(struct vector_clock *clock)
{
	if (!clock || --clock->references)
		return;
	for (uint32_t i = 0; i < clock->chunk_count; i++)
		chunk_drop(clock->chunks[i]);
	free(clock);
}

/* Makes the clock unshared, with at least `chunk_count` chunks, which may still be shared. */
static struct vector_clock *own_clock(struct vector_clock **clock, uint32_t chunk_count)
{
	struct vector_clock *old = *clock, *own;
	const uint32_t old_count = old ? old->chunk_count : 0;

	if (old && old->references == 1 && old_count >= chunk_count)
		return old;
	if (chunk_count < old_count)
		chunk_count = old_count;
	own = memory_new(1, sizeof *own + chunk_count * sizeof *own->chunks);
	own->references = 1;
	own->chunk_count = chunk_count;
	for (uint32_t i = 0; i < old_count; i++)
		own->chunks[i] = chunk_keep(old->chunks[i]);
	clock_drop(old);
	*clock = own;
	return own;
}

static struct clock_chunk *own_chunk(struct clock_chunk **chunk)
{
	struct clock_chunk *own;

	if (*chunk && (*chunk)->references == 1)
		return *chunk;
	own = memory_new(1, sizeof *own);
	if (*chunk)
		memcpy(own, *chunk, sizeof *own);
	own->references = 1;
	chunk_drop(*chunk);
	*chunk = own;
	return own;
}

void clock_set(struct vector_clock **clock, uint32_t component, uint64_t count)
{
	struct vector_clock *own = own_clock(clock, component / CLOCK_CHUNK + 1);

	own_chunk(&own->chunks[component / CLOCK_CHUNK])->counts[component % CLOCK_CHUNK] = count;
}

void clock_raise(struct vector_clock **clock, uint32_t component, uint64_t count)
{
	if (clock_get(*clock, component) < count)
		clock_set(clock, component, count);
}

/* Compares all components of two chunks. Bit 0: `a` is nowhere smaller, bit 1: `b` is nowhere smaller. */
static unsigned compare_chunks(const struct clock_chunk *a, const struct clock_chunk *b)
{
	unsigned a_smaller = 0, b_smaller = 0;

	if (!a || !b)
		return a ? 1 : 2;
	for (int i = 0; i < CLOCK_CHUNK; i++) {
		a_smaller |= a->counts[i] < b->counts[i];
		b_smaller |= b->counts[i] < a->counts[i];
	}
	return (a_smaller ? 0 : 1) | (b_smaller ? 0 : 2);
}

/* Chunks of the other clock that are larger everywhere are shared. */
void clock_join(struct vector_clock **clock, struct vector_clock *other)
{
	bool is_smaller = !*clock || (other && (*clock)->chunk_count <= other->chunk_count);

	if (!other || *clock == other)
		return;
	for (uint32_t i = 0; *clock && i < other->chunk_count; i++) {
		struct clock_chunk *mine = i < (*clock)->chunk_count ? (*clock)->chunks[i] : NULL;
		unsigned relation = mine == other->chunks[i] ? 3 : compare_chunks(mine, other->chunks[i]);
		struct vector_clock *own;
		struct clock_chunk *joined;
		is_smaller = is_smaller && relation & 2;
		if (relation & 1)
			continue;
		own = own_clock(clock, other->chunk_count);
		if (relation & 2) {
			chunk_drop(own->chunks[i]);
			own->chunks[i] = chunk_keep(other->chunks[i]);
			continue;
		}
		joined = own_chunk(&own->chunks[i]);
		for (int j = 0; j < CLOCK_CHUNK; j++)
			if (joined->counts[j] < other->chunks[i]->counts[j])
				joined->counts[j] = other->chunks[i]->counts[j];
	}
	if (is_smaller) {
		clock_drop(*clock);
		*clock = clock_keep(other);
	}
}
