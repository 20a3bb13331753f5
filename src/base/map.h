/* Hash tables, of three kinds. They grow as needed, keep at least three of eight slots free, and cost
 * nothing while empty.
 *
 * From one or two integers to a number, usually the index of an item in an array:
 *
 *	struct map map = {0};
 *	*map_put(&map, map_key(comm, rank)) = 7;
 *	uint32_t *found = map_find(&map, map_key(comm, rank));     NULL: it is not there
 *	map_remove(&map, map_key(comm, rank));
 *	map_release(&map);
 *
 * From records, which the caller keeps and compares, to their numbers:
 *
 *	struct map_index index = {0};
 *	uint64_t hash = hash_bytes(name, strlen(name));
 *	uint32_t at = map_index_find(&index, hash, i, strcmp(list.items[i].name, name) == 0);
 *	if (at == MAP_NONE) {
 *		map_index_add(&index, hash, (uint32_t)list.count);
 *		array_add(&list, (struct item){.name = name});
 *	}
 *	map_index_release(&index);
 *
 * From texts to pointers, and to numbers from 0 in the order of insertion. Texts are not copied:
 *
 *	struct text_map names = {0};
 *	*text_map_put(&names, "MPI_Send") = call;
 *	call = text_map_find(&names, "MPI_Send");                  NULL: it is not there
 *	number = text_map_number(&names, "MPI_Recv");              adds it
 *	text_map_release(&names);
 *
 * A pointer into a table is valid until the next put, add or remove. When memory is exhausted, put and add
 * end the program (base/memory.h). */
#ifndef TARRY_BASE_MAP_H
#define TARRY_BASE_MAP_H

#include "base/array.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX

/* Words */

struct map_key {
	uint64_t a, b;
};

struct map_slot {
	struct map_key key;
	uint32_t value;
	uint32_t mark; /* MAP_USED and bits of the hash; 0: empty */
};

struct map {
	struct map_slot *slots;
	size_t slot_count; /* a power of two, or 0 */
	size_t count;
};

static inline struct map_key map_key(uint64_t a, uint64_t b)
{
	return (struct map_key){a, b};
}

/* NULL: not found. */
uint32_t *map_find(const struct map *map, struct map_key key);
/* The value of this key; MAP_NONE if the key is new. */
uint32_t *map_put(struct map *map, struct map_key key);
void map_remove(struct map *map, struct map_key key);
void map_release(struct map *map);

/* Records */

struct map_index_slot {
	uint32_t hash;
	uint32_t number; /* + 1; 0: empty */
};

struct map_index {
	struct map_index_slot *slots;
	size_t slot_count; /* a power of two, or 0 */
	size_t count;
};

/* The number `i` of the first record with this hash for which the condition holds, or MAP_NONE. */
#define map_index_find(index, full_hash, i, condition) \
	({ \
		const struct map_index *find_index = (index); \
		uint32_t find_hash = hash_fold(full_hash), find_number = MAP_NONE; \
		size_t find_mask = find_index->slot_count - 1; \
		for (size_t find_at = find_hash & find_mask; \
		     find_index->slot_count && find_index->slots[find_at].number; \
		     find_at = (find_at + 1) & find_mask) { \
			uint32_t i = find_index->slots[find_at].number - 1; \
			if (find_index->slots[find_at].hash == find_hash && (condition)) { \
				find_number = i; \
				break; \
			} \
		} \
		find_number; \
	})

/* `number` is below MAP_NONE - 1 and not yet in the index. */
void map_index_add(struct map_index *index, uint64_t hash, uint32_t number);
void map_index_release(struct map_index *index);

/* Texts */

struct text_map_entry {
	const char *text;
	void *value;
};

struct text_map {
	struct map_index index;
	struct text_map_entry *items; /* in the order of insertion */
	size_t count, room;
};

void *text_map_find(const struct text_map *map, const char *text);
/* The value of this text; NULL if the text is new. */
void **text_map_put(struct text_map *map, const char *text);
uint32_t text_map_number(struct text_map *map, const char *text);
void text_map_release(struct text_map *map);

#endif
