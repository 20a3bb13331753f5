/* A hash table from pairs of numbers to small numbers, for what comes and goes with the calls of a trace.
 *
 *	struct pair_map map = {0};
 *	*pair_map_put(&map, key) = 7;
 *	uint32_t *found = pair_map_find(&map, key);   NULL if there is none
 *	pair_map_remove(&map, key);
 *	pair_map_release(&map);
 *
 * A pointer into the table holds until the next put or remove. */
#ifndef TARRY_ANALYSIS_MODEL_PAIR_MAP_H
#define TARRY_ANALYSIS_MODEL_PAIR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pair {
	uint64_t a, b;
};

struct pair_map {
	struct pair_slot *slots;
	size_t slot_count; /* a power of two, or 0 */
	size_t count;
};

uint32_t *pair_map_find(const struct pair_map *map, struct pair key);
/* The value of this key; UINT32_MAX if it was not there before. */
uint32_t *pair_map_put(struct pair_map *map, struct pair key);
void pair_map_remove(struct pair_map *map, struct pair key);
void pair_map_release(struct pair_map *map);

#endif
