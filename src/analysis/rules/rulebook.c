#include "analysis/rules/rulebook.h"
#include "analysis/rules/checker.h"
#include "analysis/rules/modules.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void add_native_types(struct checker *checker)
{
	struct rulebook *book = checker->book;

	for (uint32_t i = 0; i < RELATIONS_END; i++) {
		struct event_type *type = arena_new(checker->arena, struct event_type);
		struct symbol *symbol = names_add(checker->arena, &checker->types, native_relations[i].name,
		                                  NULL);
		*type = (struct event_type){.name = native_relations[i].name,
		                            .description = native_relations[i].what,
		                            .form = FORM_NATIVE,
		                            .relation = (enum relation)i,
		                            .number = i,
		                            .text = ""};
		if (type->relation == RELATION_CALL)
			add_call_columns(checker, type);
		for (uint32_t column = 0; column < NATIVE_COLUMNS_END; column++)
			if (native_columns[column].relation == type->relation)
				column_add(checker, type,
				           (struct column){.name = native_columns[column].name,
				                           .type = native_columns[column].type,
				                           .native = column});
		arena_add(checker->arena, book->types, book->type_count, type);
		symbol->made = type;
		symbol->state = SYMBOL_FINE;
	}
}

static void check_modules(struct checker *checker, const struct modules *modules,
                          const struct rule_options *options)
{
	const struct diagnostics *errors = checker->errors;

	add_native_types(checker);
	resolve_declarations(checker, modules->files, modules->count);
	for (struct symbol *s = checker->settings.first; s && !has_enough_errors(errors); s = s->next)
		check_setting(checker, s, NULL);
	for (size_t i = 0; options->settings && options->settings[i]; i++)
		give_setting(checker, options->settings[i]);
	for (enum declaration_kind kind = DECLARE_EVENT; kind <= DECLARE_COMPOSITE; kind++)
		for (struct symbol *s = checker->types.first; s && !has_enough_errors(errors); s = s->next)
			if (s->declaration && s->declaration->kind == kind)
				check_type(checker, s, NULL);
	for (struct symbol *s = checker->problems.first; s && !has_enough_errors(errors); s = s->next)
		check_problem(checker, s, false);
	for (struct symbol *s = checker->metrics.first; s && !has_enough_errors(errors); s = s->next)
		check_problem(checker, s, true);
	for (size_t i = 0; i < modules->count && !options->without_tests; i++)
		for (const struct declaration *d = modules->files[i]; d && !has_enough_errors(errors);
		     d = d->next)
			if (d->kind == DECLARE_TEST)
				check_test(checker, d);
}

enum status rulebook_check(const struct rule_options *options, struct diagnostics *errors,
                           struct rulebook **result)
{
	struct rulebook *book = memory_new(1, sizeof *book);
	struct modules modules = {.arena = &book->arena, .errors = errors};
	struct checker checker = {.arena = &book->arena, .book = book, .modules = &modules, .errors = errors};
	struct names *const names[] = {&checker.settings, &checker.types,     &checker.problems,
	                               &checker.metrics,  &checker.functions, &checker.generated};

	modules_load(&modules, options);
	book->file_count = modules.count;
	/* Consequences of an unreadable declaration are not separate errors. */
	if (!errors->error_count)
		check_modules(&checker, &modules, options);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		names_release(names[i]);
	if (errors->error_count) {
		note_hidden_errors(errors);
		rulebook_free(book);
		return fail("the rules have errors");
	}
	*result = book;
	return OK;
}

enum status rulebook_load(const struct rule_options *options, struct rulebook **book)
{
	struct diagnostics errors = {0};
	enum status status = rulebook_check(options, &errors, book);

	if (status != OK) {
		struct text text = {0};

		for (size_t i = 0; i < errors.count; i++)
			diagnostic_describe(&errors.list[i], &text);
		status = fail("the rules have errors\n%s", text_get(&text));
		text_release(&text);
	}
	diagnostics_release(&errors);
	return status;
}

bool is_short_id(const char *word, const char *id)
{
	const char *dot = strchr(id, '.');

	return dot && strcmp(dot + 1, word) == 0;
}

void rulebook_free(struct rulebook *book)
{
	struct arena arena;

	if (!book)
		return;
	arena = book->arena;
	arena_release(&arena);
	free(book);
}

bool is_metric_for(const struct problem *metric, const struct problem *problem)
{
	return metric->is_metric && !problem->is_metric &&
	       (strcmp(problem->id, metric->id) == 0 || is_short_id(metric->id, problem->id)) &&
	       strcmp(metric->origin.file, problem->origin.file) == 0;
}
