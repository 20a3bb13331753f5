/* Memory by lifetime: all allocations of an arena are released together, so functions that build data
 * structures need no clean-up path. Only lent memory can be returned before arena_release().
 *
 *	struct arena arena = {0};
 *	struct node *node = arena_new(&arena, struct node);
 *	const char *name = arena_text(&arena, "rank 3");
 *	arena_release(&arena);
 *
 * Allocation never returns NULL (see base/memory.h). Memory is zeroed and aligned to 64 bits. */
#ifndef TARRY_BASE_ARENA_H
#define TARRY_BASE_ARENA_H

#include "base/status.h"

#include <stddef.h>

struct arena {
	struct arena_block *newest;
	size_t bytes; /* of all blocks, without lent memory */
};

void *arena_alloc(struct arena *arena, size_t count, size_t size);
/* The same for memory that can be returned, for example by a table that has to grow. */
void *arena_lend(struct arena *arena, size_t count, size_t size);
void arena_give_back(struct arena *arena, void *memory);
char *arena_text(struct arena *arena, const char *text);
char *arena_bytes_as_text(struct arena *arena, const void *bytes, size_t size);
char *arena_format(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
void arena_release(struct arena *arena);

/* A copy of the list with room for at least one more item. The capacity is not stored: it is the power of two
 * at or above the count. */
void *arena_grown(struct arena *arena, const void *items, size_t count, size_t size);

#define arena_new(arena, type) ((type *)arena_alloc(arena, 1, sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_alloc(arena, count, sizeof(type)))
/* Adds an item to a list that grows in this way; its old memory stays in the arena. */
#define arena_add(arena, list, list_count, ...) \
	do { \
		(list) = arena_grown(arena, list, list_count, sizeof *(list)); \
		(list)[(list_count)++] = __VA_ARGS__; \
	} while (0)

#endif
