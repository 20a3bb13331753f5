/* Active declarations. Files are loaded in order, the shipped ones first; overriding and disabling apply to
 * all of them, regardless of order. */
#include "analysis/rules/checker.h"
#include "base/paths.h"

#include <string.h>

void *error_missing(struct checker *checker, struct token word, const char *sentence,
                    const struct nearest *nearest)
{
	const char *found = nearest_found(nearest);

	if (found)
		return add_error(checker->errors, word.place, "%s '%s': did you mean '%s'?", sentence,
		                 word.text, found);
	return add_error(checker->errors, word.place, "%s '%s'", sentence, word.text);
}

void *error_unknown(struct checker *checker, struct token word, const char *what,
                    const struct nearest *nearest)
{
	return error_missing(checker, word, arena_format(checker->arena, "unknown %s", what), nearest);
}

struct declared_kind {
	const char *what;
	size_t names; /* offset in the checker */
};

static const struct declared_kind kinds[] = {
	[DECLARE_SETTING] = {"parameter", offsetof(struct checker, settings)},
	[DECLARE_EVENT] = {"event", offsetof(struct checker, types)},
	[DECLARE_COMPOSITE] = {"event", offsetof(struct checker, types)},
	[DECLARE_PROBLEM] = {"problem", offsetof(struct checker, problems)},
	[DECLARE_METRIC] = {"metric", offsetof(struct checker, metrics)},
};

static struct names *names_of(struct checker *checker, enum declaration_kind kind)
{
	return (struct names *)((char *)checker + kinds[kind].names);
}

/* "late.point_to_point" for a problem of point_to_point in late.rules; "-2" is added if it exists already. */
static const char *made_up_id(struct checker *checker, const struct declaration *declaration)
{
	const struct names *names = names_of(checker, declaration->kind);
	const char *file = path_name(declaration->place.source->path);
	int length = (int)strcspn(file, ".");
	const char *first = arena_format(checker->arena, "%.*s.%s", length, file, declaration->type.text);
	struct symbol *last = names_find(&checker->generated, first);
	const char *id;

	if (!last)
		last = names_add(checker->arena, &checker->generated, first, declaration);
	do {
		last->level++;
		id = last->level == 1 ? first : arena_format(checker->arena, "%s-%u", first, last->level);
	} while (names_find(names, id));
	return id;
}

static void collect_declared(struct checker *checker, const struct declaration *declaration)
{
	struct names *names = names_of(checker, declaration->kind);
	const char *name = declaration->name.text;
	struct symbol *symbol;

	if (!name)
		name = made_up_id(checker, declaration);
	symbol = names_find(names, name);
	if (!symbol) {
		names_add(checker->arena, names, name, declaration);
	} else if (!symbol->declaration) {
		add_error(checker->errors, declaration->name.place, "'%s' is built in: choose another name",
		          name);
	} else {
		add_error(checker->errors, declaration->name.place,
		          "%s '%s' is declared twice: say 'override' to replace the other one",
		          kinds[declaration->kind].what, name);
		add_error_note(checker->errors, symbol->declaration->name.place,
		               "it was declared here first");
	}
}

struct symbol *find_by_id(struct checker *checker, const struct names *names, struct token id)
{
	struct symbol *found = names_find(names, id.text);

	if (found)
		return found;
	for (struct symbol *symbol = names->first; symbol; symbol = symbol->next) {
		if (!is_short_id(id.text, symbol->name))
			continue;
		if (found)
			return add_error(checker->errors, id.place,
			                 "'%s' may be '%s' or '%s': name one of them", id.text, found->name,
			                 symbol->name);
		found = symbol;
	}
	return found;
}

static struct symbol *find_declared(struct checker *checker, const struct declaration *declaration)
{
	struct names *names = names_of(checker, declaration->kind);
	struct nearest nearest = {.word = declaration->name.text};
	const char *verb = declaration->verb == VERB_OVERRIDE ? "override" : "disable";
	size_t errors = checker->errors->error_count;
	struct symbol *symbol;

	if (!declaration->name.text)
		return add_error(checker->errors, declaration->name.place, "'%s' needs the id of a problem",
		                 verb);
	symbol = declaration->kind == DECLARE_PROBLEM || declaration->kind == DECLARE_METRIC
	                 ? find_by_id(checker, names, declaration->name)
	                 : names_find(names, declaration->name.text);
	if (symbol && symbol->declaration)
		return symbol;
	if (checker->errors->error_count > errors)
		return NULL;
	names_offer(names, &nearest);
	if (symbol)
		add_error(checker->errors, declaration->name.place,
		          "'%s' is built in: there is nothing to %s", symbol->name, verb);
	else
		error_missing(checker, declaration->name,
		              arena_format(checker->arena, "cannot %s: there is no %s", verb,
		                           kinds[declaration->kind].what),
		              &nearest);
	return NULL;
}

void resolve_declarations(struct checker *checker, struct declaration *const *files, size_t file_count)
{
	for (enum declaration_verb verb = VERB_DECLARE; verb <= VERB_DISABLE; verb++)
		for (size_t i = 0; i < file_count; i++)
			for (const struct declaration *d = files[i]; d && !has_enough_errors(checker->errors);
			     d = d->next) {
				struct symbol *symbol;

				if (d->verb != verb || d->kind == DECLARE_IMPORT || d->kind == DECLARE_TEST)
					continue;
				if (verb == VERB_DECLARE) {
					collect_declared(checker, d);
					continue;
				}
				symbol = find_declared(checker, d);
				if (symbol && verb == VERB_OVERRIDE)
					symbol->declaration = d;
				else if (symbol)
					symbol->state = SYMBOL_DISABLED;
			}
}

/* Names */

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
