#include "check/known/sequence_ring.h"

#include "base/memory.h"

enum { ROOM_MIN = 4 };

void sequence_ring_grow(struct sequence_ring *ring)
{
	const uint32_t room = ring->room ? ring->room * 2 : ROOM_MIN;
	void **larger = memory_new(room, sizeof *larger);

	for (uint32_t i = 0; i < ring->count; i++)
		larger[i] = sequence_ring_get(ring, ring->first + i);
	free(ring->items);
	ring->items = larger;
	ring->room = room;
	ring->head = 0;
}
