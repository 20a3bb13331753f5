/* Vector clocks that share equal parts. A clock has a number of events for each component, in chunks of
 * CLOCK_CHUNK that are shared until one owner changes them: after a barrier all processes have the same
 * clock, and it exists once.
 *
 *	struct vector_clock *clock = NULL;                all zero
 *	clock_raise(&clock, component, 7);
 *	struct vector_clock *sent = clock_keep(clock);    a snapshot, without a copy
 *	clock_join(&other, sent);                         the maximum of each component
 *	clock_drop(sent);
 *
 * The time of a join is proportional to the number of chunks, plus the components of chunks that differ. */
#ifndef TARRY_CHECK_EXECUTION_CLOCKS_H
#define TARRY_CHECK_EXECUTION_CLOCKS_H

#include <stdint.h>

enum { CLOCK_CHUNK = 32 };

struct clock_chunk {
	uint32_t references;
	uint64_t counts[CLOCK_CHUNK];
};

struct vector_clock {
	uint32_t references;
	uint32_t chunk_count;
	struct clock_chunk *chunks[]; /* NULL: zero */
};

static inline struct vector_clock *clock_keep(struct vector_clock *clock)
{
	if (clock)
		clock->references++;
	return clock;
}

static inline uint64_t clock_get(const struct vector_clock *clock, uint32_t component)
{
	const uint32_t chunk = component / CLOCK_CHUNK;

	return clock && chunk < clock->chunk_count && clock->chunks[chunk]
	               ? clock->chunks[chunk]->counts[component % CLOCK_CHUNK]
	               : 0;
}

void clock_drop(struct vector_clock *clock);
void clock_set(struct vector_clock **clock, uint32_t component, uint64_t count);
void clock_raise(struct vector_clock **clock, uint32_t component, uint64_t count);
void clock_join(struct vector_clock **clock, struct vector_clock *other);

#endif
