#include "analysis/rules/names.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

static size_t hash(const char *name)
{
	uint64_t value = 14695981039346656037u;

	for (; *name; name++)
		value = (value ^ (unsigned char)*name) * 1099511628211u;
	return (size_t)(value ^ value >> 32);
}

static struct symbol **slot_of(const struct names *names, const char *name)
{
	size_t at = hash(name) & (names->capacity - 1);

	while (names->slots[at] && strcmp(names->slots[at]->name, name) != 0)
		at = (at + 1) & (names->capacity - 1);
	return &names->slots[at];
}

struct symbol *names_find(const struct names *names, const char *name)
{
	return names->capacity ? *slot_of(names, name) : NULL;
}

static void grow(struct arena *arena, struct names *names)
{
	if (2 * names->count < names->capacity)
		return;
	names->capacity = names->capacity ? 2 * names->capacity : FIRST_CAPACITY;
	names->slots = arena_array(arena, struct symbol *, names->capacity);
	for (struct symbol *symbol = names->first; symbol; symbol = symbol->next)
		*slot_of(names, symbol->name) = symbol;
}

struct symbol *names_add(struct arena *arena, struct names *names, const char *name,
                         const struct declaration *declaration)
{
	struct symbol *symbol = arena_new(arena, struct symbol);

	*symbol = (struct symbol){.name = name, .declaration = declaration};
	grow(arena, names);
	*slot_of(names, name) = symbol;
	names->count++;
	if (names->last)
		names->last->next = symbol;
	else
		names->first = symbol;
	names->last = symbol;
	return symbol;
}

void names_offer(const struct names *names, struct nearest *nearest)
{
	for (const struct symbol *symbol = names->first; symbol; symbol = symbol->next)
		if (symbol->state != SYMBOL_DISABLED)
			nearest_offer(nearest, symbol->name);
}
