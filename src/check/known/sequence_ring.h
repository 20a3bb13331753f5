/* A queue whose items have consecutive numbers: the pending collective calls of a communicator. The
 * items are opaque here.
 *
 *	struct sequence_ring ring = {0};
 *	sequence_ring_add(&ring, call);                its number is ring.first + ring.count - 1
 *	call = sequence_ring_find(&ring, number);      NULL: not added yet
 *	call = sequence_ring_take(&ring);              the first, if ring.count
 *	sequence_ring_release(&ring); */
#ifndef TARRY_CHECK_KNOWN_SEQUENCE_RING_H
#define TARRY_CHECK_KNOWN_SEQUENCE_RING_H

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

struct sequence_ring {
	uint64_t first; /* number of the first */
	uint32_t count;
	uint32_t head, room; /* position of the first; a power of two, or 0 */
	void **items;
};

/* It must exist. */
static inline void *sequence_ring_get(const struct sequence_ring *ring, uint64_t number)
{
	return ring->items[(ring->head + (number - ring->first)) & (ring->room - 1)];
}

static inline void *sequence_ring_find(const struct sequence_ring *ring, uint64_t number)
{
	return number - ring->first < ring->count ? sequence_ring_get(ring, number) : NULL;
}

static inline void sequence_ring_grow(struct sequence_ring *ring)
{
	const uint32_t room = ring->room ? ring->room * 2 : 4;
	void **larger = memory_new(room, sizeof *larger);

	for (uint32_t i = 0; i < ring->count; i++)
		larger[i] = sequence_ring_get(ring, ring->first + i);
	free(ring->items);
	ring->items = larger;
	ring->room = room;
	ring->head = 0;
}

static inline void sequence_ring_add(struct sequence_ring *ring, void *item)
{
	if (ring->count == ring->room)
		sequence_ring_grow(ring);
	ring->items[(ring->head + ring->count++) & (ring->room - 1)] = item;
}

static inline void *sequence_ring_take(struct sequence_ring *ring)
{
	void *item = ring->items[ring->head];

	ring->head = (ring->head + 1) & (ring->room - 1);
	ring->first++;
	ring->count--;
	return item;
}

/* Numbers continue. */
static inline void sequence_ring_release(struct sequence_ring *ring)
{
	free(ring->items);
	*ring = (struct sequence_ring){.first = ring->first + ring->count};
}

#endif
