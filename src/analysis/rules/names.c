#include "analysis/rules/names.h"

struct symbol *names_find(const struct names *names, const char *name)
{
	return text_map_find(&names->by_name, name);
}

struct symbol *names_add(struct arena *arena, struct names *names, const char *name,
                         const struct declaration *declaration)
{
	struct symbol *symbol = arena_new(arena, struct symbol);

	*symbol = (struct symbol){.name = name, .declaration = declaration};
	*text_map_put(&names->by_name, name) = symbol;
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

void names_release(struct names *names)
{
	text_map_release(&names->by_name);
}
