/* Names and what they were declared as: one table for each kind. */
#ifndef TARRY_ANALYSIS_RULES_NAMES_H
#define TARRY_ANALYSIS_RULES_NAMES_H

#include "analysis/rules/syntax.h"
#include "base/map.h"
#include "base/text.h"

enum symbol_state {
	SYMBOL_UNCHECKED,
	SYMBOL_CHECKING,
	SYMBOL_FINE,
	SYMBOL_WRONG,    /* was reported */
	SYMBOL_DISABLED, /* by the user, or made of something that is */
};

struct symbol {
	const char *name;
	const struct declaration *declaration; /* NULL: built in */
	enum symbol_state state;
	void *made;            /* the setting, event type or problem */
	struct symbol *reason; /* while it is checked: what needs it */
	uint32_t level;        /* above those that it is made of */
	struct symbol *next;   /* in order of declaration */
};

struct names {
	struct text_map by_name;
	struct symbol *first, *last;
};

/* NULL if there is none. */
struct symbol *names_find(const struct names *names, const char *name);
/* There must be none of that name. */
struct symbol *names_add(struct arena *arena, struct names *names, const char *name,
                         const struct declaration *declaration);
/* Symbols stay in the arena. */
void names_release(struct names *names);
void names_offer(const struct names *names, struct nearest *nearest);

#endif
