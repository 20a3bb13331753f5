/* The sites that a chunk defines, by number. Processes of a run mostly define the same ones in the same order: lists that
 * begin alike share their memory.
 *
 *	struct site_list list = {0};
 *	site_list_add(&arena, &known, &list, site);
 *	list.items[0]
 *	site_list_release(&list); */
#ifndef TARRY_TRACE_SITE_LIST_H
#define TARRY_TRACE_SITE_LIST_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct site {
	uint64_t offset;
	uint32_t module;
};

struct site_list {
	const struct site *items; /* shared ones, or its own */
	struct site *own;         /* NULL: none */
	uint32_t count;
	uint32_t room; /* of its own */
};

/* What lists have shared so far. */
struct known_sites {
	struct shared_sites *lists;
	uint32_t count;
};

/* A shared list lives as long as the arena. */
void site_list_add(struct arena *arena, struct known_sites *known, struct site_list *list, struct site site);
/* It has no site then. */
void site_list_clear(struct site_list *list);
void site_list_release(struct site_list *list);

#endif
