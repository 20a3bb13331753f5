/* Nodes of one size that come and go, in an arena: those given back are used again.
 *
 *	struct store parts = {.arena = &arena, .size = sizeof(struct part)};
 *	struct part *part = store_take(&parts);       zeroed
 *	store_give(&parts, part); */
#ifndef TARRY_ANALYSIS_MODEL_STORE_H
#define TARRY_ANALYSIS_MODEL_STORE_H

#include "base/arena.h"

#include <string.h>

struct store {
	struct arena *arena;
	size_t size; /* at least that of a pointer */
	void *free;  /* each begins with a pointer to the next */
};

static inline void *store_take(struct store *store)
{
	void *node = store->free;

	if (!node)
		return arena_alloc(store->arena, 1, store->size);
	memcpy(&store->free, node, sizeof store->free);
	return memset(node, 0, store->size);
}

static inline void store_give(struct store *store, void *node)
{
	memcpy(node, &store->free, sizeof store->free);
	store->free = node;
}

#endif
