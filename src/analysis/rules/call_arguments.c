#include "analysis/rules/call_arguments.h"

#include "calls/calls.h"

#include <string.h>

struct collection {
	struct arena *arena;
	struct rule_argument *items;
	size_t count;
};

const struct rule_argument *rule_argument_find(const struct rule_argument *arguments, size_t count,
                                               const char *function, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(arguments[i].function, function) == 0 && strcmp(arguments[i].text, text) == 0)
			return &arguments[i];
	return NULL;
}

static void collect(struct collection *all, const struct event_type *type, const struct expr *expr)
{
	if (!expr)
		return;
	if (expr->kind == EXPR_ARGUMENT) {
		for (const char *const *function = type->functions; *function; function++) {
			struct rule_argument argument = {
				.function = *function, .text = expr->text, .file = type->origin.file};
			const enum call_id call = (enum call_id)(call_find(*function) - all_calls);

			if (argument_parse(call, expr->text, strlen(expr->text), &argument.what) &&
			    !rule_argument_find(all->items, all->count, *function, expr->text))
				arena_add(all->arena, all->items, all->count, argument);
		}
	}
	for (uint32_t i = 0; i < expr->arg_count; i++)
		collect(all, type, expr->args[i]);
}

struct rule_argument *rulebook_arguments(const struct rulebook *book, struct arena *arena, size_t *count)
{
	struct collection all = {.arena = arena};

	for (size_t i = 0; i < book->type_count; i++) {
		const struct event_type *type = book->types[i];
		if (type->form != FORM_CALL || !type->functions || type->prototype)
			continue;
		for (uint32_t j = 0; j < type->column_count; j++)
			collect(&all, type, type->columns[j].value);
	}
	*count = all.count;
	return all.items;
}

const char *rulebook_argument_list(const struct rulebook *book, struct arena *arena)
{
	const char *list = NULL;
	size_t count;
	const struct rule_argument *arguments = rulebook_arguments(book, arena, &count);

	for (size_t i = 0; i < count; i++)
		list = arena_format(arena, "%s%s%s:%s", list ? list : "", list ? "/" : "",
		                    arguments[i].function, arguments[i].text);
	return list;
}
