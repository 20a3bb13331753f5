#include "trace/site_list.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Longer lists, and those of programs that do all different things, are each for itself. */
enum { SHARED_LISTS = 16, SHARED_ITEMS = 256, FIRST_ROOM = 16 };

/* Items stay where they are, and as they are: more are added. */
struct shared_sites {
	struct shared_sites *next;
	uint32_t count;
	struct site items[SHARED_ITEMS];
};

static bool is_same(struct site a, struct site b)
{
	return a.offset == b.offset && a.module == b.module;
}

static bool begins_with(const struct shared_sites *shared, const struct site_list *list)
{
	if (shared->items == list->items || shared->count < list->count)
		return shared->items == list->items;
	for (uint32_t i = 0; i < list->count; i++)
		if (!is_same(shared->items[i], list->items[i]))
			return false;
	return true;
}

/* Goes on as the list does. */
static struct shared_sites *find_shared(const struct known_sites *known, const struct site_list *list,
                                        struct site site)
{
	for (struct shared_sites *shared = known->lists; shared; shared = shared->next)
		if (shared->count > list->count && is_same(shared->items[list->count], site) &&
		    begins_with(shared, list))
			return shared;
	return NULL;
}

/* Ends where the list does; NULL: there is none, and no room for another. */
static struct shared_sites *make_shared(struct arena *arena, struct known_sites *known,
                                        const struct site_list *list)
{
	struct shared_sites *shared = known->lists;

	if (list->count == SHARED_ITEMS)
		return NULL;
	while (shared && (shared->count != list->count || !begins_with(shared, list)))
		shared = shared->next;
	if (shared || known->count == SHARED_LISTS)
		return shared;
	shared = arena_new(arena, struct shared_sites);
	shared->next = known->lists;
	known->lists = shared;
	known->count++;
	for (; shared->count < list->count; shared->count++)
		shared->items[shared->count] = list->items[shared->count];
	return shared;
}

static void add_shared(struct shared_sites *shared, struct site_list *list, struct site site)
{
	if (shared->count == list->count)
		shared->items[shared->count++] = site;
	list->items = shared->items;
	list->count++;
}

static void add_own(struct site_list *list, struct site site)
{
	bool is_shared = list->items != list->own;

	if (!list->own || list->count >= list->room) {
		list->room = list->count + list->count / 2 + FIRST_ROOM;
		list->own = memory_grow(list->own, list->room, sizeof *list->own);
	}
	if (is_shared)
		memcpy(list->own, list->items, list->count * sizeof *list->own);
	list->items = list->own;
	list->own[list->count++] = site;
}

void site_list_add(struct arena *arena, struct known_sites *known, struct site_list *list, struct site site)
{
	struct shared_sites *shared = list->own ? NULL : find_shared(known, list, site);

	if (!shared && !list->own)
		shared = make_shared(arena, known, list);
	if (shared)
		add_shared(shared, list, site);
	else
		add_own(list, site);
}

void site_list_clear(struct site_list *list)
{
	list->items = list->own;
	list->count = 0;
}

void site_list_release(struct site_list *list)
{
	free(list->own);
	*list = (struct site_list){0};
}
