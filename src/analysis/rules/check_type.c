/* Event types, each checked when it is first needed, so that members come before what is made of them. */
#include "analysis/rules/checker.h"
#include "analysis/rules/lists.h"

static void add_type(struct checker *checker, struct event_type *type)
{
	type->number = (uint32_t)checker->book->type_count;
	LIST_ADD(checker->arena, checker->book->types, checker->book->type_count, checker->type_capacity,
	         type);
}

static void error_cycle(struct checker *checker, const struct symbol *symbol, const struct symbol *user)
{
	add_error(checker->errors, symbol->declaration->name.place, "'%s' is a member of itself",
	          symbol->name);
	for (const struct symbol *s = user; s && s != symbol; s = s->reason)
		add_error_note(checker->errors, s->declaration->name.place, "through '%s'", s->name);
}

static void *make_type(struct checker *checker, struct symbol *symbol)
{
	const struct declaration *declaration = symbol->declaration;
	struct event_type *type = arena_new(checker->arena, struct event_type);
	bool is_fine;

	*type = (struct event_type){.name = symbol->name,
	                            .description = declaration->description.text,
	                            .descriptions = translations_of(checker, &declaration->description),
	                            .origin = origin_of(declaration->place),
	                            .text = text_of(checker, declaration->place)};
	is_fine = declaration->kind == DECLARE_EVENT ? check_event(checker, declaration, type)
	                                             : check_composite(checker, symbol, type);
	if (!is_fine)
		return NULL;
	add_type(checker, type);
	return type;
}

static void error_too_deep(struct checker *checker, const struct symbol *symbol)
{
	add_error(checker->errors, symbol->declaration->name.place,
	          "too many declarations are made of each other here: %d levels are allowed", LEVELS_MAX);
}

bool is_too_deep(struct checker *checker, const struct symbol *symbol)
{
	if (checker->depth <= LEVELS_MAX)
		return false;
	error_too_deep(checker, symbol);
	return true;
}

bool symbol_uses(struct checker *checker, struct symbol *user, const struct symbol *symbol)
{
	if (user->level <= symbol->level)
		user->level = symbol->level + 1;
	if (user->level <= LEVELS_MAX)
		return true;
	error_too_deep(checker, user);
	return false;
}

void *check_symbol(struct checker *checker, struct symbol *symbol, struct symbol *user,
                   const struct check *check)
{
	if (symbol->state == SYMBOL_CHECKING) {
		check->error_cycle(checker, symbol, user);
		symbol->state = SYMBOL_WRONG;
	}
	if (symbol->state != SYMBOL_UNCHECKED)
		return symbol->made;
	symbol->state = SYMBOL_CHECKING;
	symbol->reason = user;
	checker->depth++;
	symbol->made = is_too_deep(checker, symbol) ? NULL : check->make(checker, symbol);
	checker->depth--;
	if (symbol->state == SYMBOL_CHECKING)
		symbol->state = symbol->made ? SYMBOL_FINE : SYMBOL_WRONG;
	return symbol->made;
}

struct event_type *check_type(struct checker *checker, struct symbol *symbol, struct symbol *user)
{
	static const struct check check = {make_type, error_cycle};

	return check_symbol(checker, symbol, user, &check);
}

struct event_type *find_type(struct checker *checker, struct token name, struct symbol *user)
{
	struct symbol *symbol = names_find(&checker->types, name.text);
	struct nearest nearest = {.word = name.text};
	struct event_type *type;

	if (!symbol) {
		names_offer(&checker->types, &nearest);
		error_unknown(checker, name, "event type", &nearest);
		return NULL;
	}
	type = check_type(checker, symbol, user);
	if (type && user && !symbol_uses(checker, user, symbol))
		return NULL;
	/* What is made of something disabled is disabled too. */
	if (symbol->state == SYMBOL_DISABLED && user)
		user->state = SYMBOL_DISABLED;
	return type;
}
