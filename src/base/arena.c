#include "base/arena.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIRST_BYTES = 512,
	BLOCK_BYTES = 64 << 10,
	MANY_BYTES = 4 << 20,
	LARGE_BYTES = 16 << 20,
	ALIGNMENT = alignof(uint64_t)
};

/* No allocator provides this much, and adding a block's header does not overflow. */
#define TOO_MANY ((size_t)PTRDIFF_MAX - BLOCK_BYTES)

struct arena_block {
	struct arena_block *older, *newer;
	size_t used;
	size_t capacity;
	alignas(uint64_t) unsigned char bytes[];
};

/* A trace of many processes has many small arenas, so blocks begin small and grow slowly: little of the
 * last block is wasted. Blocks of a large arena are on large pages; only the used part takes memory. */
static size_t next_capacity(const struct arena *arena)
{
	size_t capacity = arena->newest ? arena->newest->capacity / 8 * 9 : FIRST_BYTES;

	if (arena->bytes >= MANY_BYTES)
		return LARGE_BYTES;
	return capacity < BLOCK_BYTES ? capacity : BLOCK_BYTES;
}

/* Without `newer` the block becomes the newest. */
static void put_behind(struct arena *arena, struct arena_block *newer, struct arena_block *block)
{
	struct arena_block **place = newer ? &newer->older : &arena->newest;

	block->newer = newer;
	block->older = *place;
	if (block->older)
		block->older->newer = block;
	*place = block;
}

/* A request larger than a block gets its own block, and the rest of the newest block stays usable. */
static struct arena_block *add_block(struct arena *arena, size_t bytes)
{
	size_t usual = next_capacity(arena), capacity = bytes > usual ? bytes : usual;
	struct arena_block *block = memory_new(1, sizeof *block + capacity);

	block->capacity = capacity;
	arena->bytes += capacity;
	put_behind(arena, bytes > usual ? arena->newest : NULL, block);
	return block;
}

/* Saturates, so that memory_new() refuses a product too large for size_t. */
static size_t total_bytes(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) || bytes > TOO_MANY)
		return TOO_MANY;
	return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
	size_t bytes = total_bytes(count, size);
	struct arena_block *block = arena->newest;
	void *memory;

	if (!block || block->capacity - block->used < bytes)
		block = add_block(arena, bytes);
	memory = block->bytes + block->used;
	block->used += bytes;
	return memory;
}

void *arena_lend(struct arena *arena, size_t count, size_t size)
{
	size_t bytes = total_bytes(count, size);
	struct arena_block *block = memory_new(1, sizeof *block + bytes);

	/* Full: the next allocation uses another block. */
	block->used = block->capacity = bytes;
	put_behind(arena, arena->newest, block);
	return block->bytes;
}

void arena_give_back(struct arena *arena, void *memory)
{
	struct arena_block *block;

	if (!memory)
		return;
	block = (struct arena_block *)((unsigned char *)memory - offsetof(struct arena_block, bytes));
	*(block->newer ? &block->newer->older : &arena->newest) = block->older;
	if (block->older)
		block->older->newer = block->newer;
	free(block);
}

void *array_grow_in(struct arena *arena, const void *items, size_t *room, size_t size)
{
	size_t next = array_next_room(*room, *room + 1, SIZE_MAX);
	void *grown = arena_alloc(arena, next, size);

	if (*room)
		memcpy(grown, items, *room * size);
	*room = next;
	return grown;
}

void *arena_grown(struct arena *arena, const void *items, size_t count, size_t size)
{
	void *larger;

	if (count & (count - 1))
		return (void *)items;
	larger = arena_alloc(arena, count ? count * 2 : 1, size);
	if (count)
		memcpy(larger, items, count * size);
	return larger;
}

char *arena_bytes_as_text(struct arena *arena, const void *bytes, size_t size)
{
	char *copy = arena_alloc(arena, size + 1, 1);

	return memcpy(copy, bytes, size);
}

char *arena_text(struct arena *arena, const char *text)
{
	return arena_bytes_as_text(arena, text, strlen(text));
}

char *arena_format(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	int length;
	char *text;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = arena_alloc(arena, length > 0 ? (size_t)length + 1 : 1, 1);
	if (length > 0)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

void arena_release(struct arena *arena)
{
	arena->bytes = 0;
	while (arena->newest) {
		struct arena_block *older = arena->newest->older;
		free(arena->newest);
		arena->newest = older;
	}
}
