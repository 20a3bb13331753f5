#include "cli/rules.h"

#include "base/json.h"
#include "base/paths.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define SUFFIX ".rules"

enum { MODULE_NAME = 64 };

/* "mpi-p2p" for ".../mpi-p2p.rules:12:1"; "built in" for what has no file. */
static const char *module_name(const struct origin *origin, char name[MODULE_NAME])
{
	snprintf(name, MODULE_NAME, "%s", origin->file ? path_name(origin->file) : "built in");
	if (text_ends(name, SUFFIX))
		name[strlen(name) - strlen(SUFFIX)] = 0;
	return name;
}

/* Anything that has a name in rules. */
struct row {
	const char *kind, *id, *name;
	const struct origin *origin;
};

typedef void take_row(void *context, const struct row *row);

static const char *const form_names[] = {
	[FORM_CALL] = "event",      [FORM_NATIVE] = "relation", [FORM_JOIN] = "composite",
	[FORM_GROUP] = "composite", [FORM_RUN] = "composite",
};

static void visit_problems(const struct rulebook *book, const char *lang, bool metrics, take_row *take,
                           void *context)
{
	for (size_t i = 0; i < book->problem_count; i++) {
		const struct problem *problem = book->problems[i];
		bool has_name = strcmp(problem->name, problem->id) != 0;
		const char *name = has_name ? problem_name(problem, lang) : "";
		struct row row = {metrics ? "metric" : "problem", problem->id, name, &problem->origin};
		if (problem->is_metric == metrics)
			take(context, &row);
	}
}

static void visit_rows(const struct rulebook *book, const char *lang, take_row *take, void *context)
{
	visit_problems(book, lang, false, take, context);
	visit_problems(book, lang, true, take, context);
	for (size_t i = 0; i < book->type_count; i++) {
		const struct event_type *type = book->types[i];
		struct row row = {form_names[type->form], type->name,
		                  translated(type->description, type->descriptions, lang), &type->origin};
		take(context, &row);
	}
	for (size_t i = 0; i < book->setting_count; i++) {
		const struct setting *setting = book->settings[i];
		struct row row = {"parameter", setting->name,
		                  translated(setting->description, setting->descriptions, lang),
		                  &setting->origin};
		take(context, &row);
	}
}

/* Columns are as wide as what is in them. */
struct widths {
	size_t kind, id, module;
};

static void widen(size_t *width, const char *text)
{
	size_t length = strlen(text);

	*width = length > *width ? length : *width;
}

static void measure(void *context, const struct row *row)
{
	struct widths *widths = context;
	char module[MODULE_NAME];

	widen(&widths->kind, row->kind);
	widen(&widths->id, row->id);
	widen(&widths->module, module_name(row->origin, module));
}

static void print_cells(const struct widths *widths, const char *kind, const char *id, const char *module,
                        const char *name)
{
	printf("%-*s  %-*s  ", (int)widths->kind, kind, (int)widths->id, id);
	if (*name)
		printf("%-*s  %s\n", (int)widths->module, module, name);
	else
		printf("%s\n", module);
}

static void print_row(void *context, const struct row *row)
{
	char module[MODULE_NAME];

	print_cells(context, row->kind, row->id, module_name(row->origin, module), row->name);
}

static void add_json(void *context, const struct row *row)
{
	struct json *json = context;
	char module[MODULE_NAME];

	json_open(json, NULL, '{');
	json_text(json, "kind", row->kind);
	json_text(json, "id", row->id);
	json_text(json, "name", row->name);
	json_text(json, "module", module_name(row->origin, module));
	json_text(json, "file", row->origin->file ? row->origin->file : "");
	json_number(json, "line", row->origin->line);
	json_close(json, '}');
}

static void print_json(const struct rulebook *book, const char *lang)
{
	struct text text = {0};
	struct json json = {.out = &text};

	json_open(&json, NULL, '[');
	visit_rows(book, lang, add_json, &json);
	json_close(&json, ']');
	puts(text_get(&text));
	text_release(&text);
}

void rules_list(const struct rulebook *book, const char *lang, bool as_json)
{
	struct widths widths = {4, 2, 6};

	if (as_json) {
		print_json(book, lang);
		return;
	}
	visit_rows(book, lang, measure, &widths);
	print_cells(&widths, "KIND", "ID", "MODULE", "NAME");
	visit_rows(book, lang, print_row, &widths);
}
