#include "analysis/engine/rule_test_run.h"
#include "analysis/rules/rulebook.h"
#include "analysis/rules/types.h"
#include "analysis/wrappers/wrappers.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/rule_loading.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The actions of `tarry rules`, by their names. */

/* tarry rules list */

#define SUFFIX ".rules"

enum { MODULE_NAME = 64 };

/* "mpi-p2p" for ".../mpi-p2p.rules:12:1"; "built in" for declarations without a file. */
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
		                  translate_own(lang, type->description, type->descriptions), &type->origin};
		take(context, &row);
	}
	for (size_t i = 0; i < book->setting_count; i++) {
		const struct setting *setting = book->settings[i];
		struct row row = {"parameter", setting->name,
		                  translate_own(lang, setting->description, setting->descriptions),
		                  &setting->origin};
		take(context, &row);
	}
}

/* Columns are as wide as their contents. */
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

/* `lang`: language of names and descriptions; NULL: English. */
static void rules_list(const struct rulebook *book, const char *lang, bool as_json)
{
	struct widths widths = {4, 2, 6};

	if (as_json) {
		struct text text = {0};
		struct json json = {.out = &text};

		json_open(&json, NULL, '[');
		visit_rows(book, lang, add_json, &json);
		json_close(&json, ']');
		puts(text_get(&text));
		text_release(&text);
		return;
	}
	visit_rows(book, lang, measure, &widths);
	print_cells(&widths, "KIND", "ID", "MODULE", "NAME");
	visit_rows(book, lang, print_row, &widths);
}

/* tarry rules show: the meaning of a name, and the place and text of its declaration. */

enum { WIDTH = 100 };

static void print_wrapped(const char *label, const char *words)
{
	struct text text = {0};

	if (!*words)
		return;
	text_add(&text, "%-12s", label);
	text_add_wrapped(&text, words, 12, WIDTH);
	fputs(text_get(&text), stdout);
	text_release(&text);
}

static void print_head(const char *kind, const char *name, const struct origin *origin)
{
	if (origin->file)
		printf("%s %s, %s:%u\n", kind, name, origin->file, origin->line);
	else
		printf("%s %s, built in\n", kind, name);
}

static void print_source(const char *text)
{
	if (*text)
		printf("\n%s\n", text);
	printf("\n");
}

/* Settings that were found, each once. */
enum { USED_MAX = 64 };
struct used {
	const struct setting *settings[USED_MAX];
	size_t count;
	bool *is_visited; /* of book->types */
};

static void use_expression(struct used *used, const struct expr *expr);

static void use_setting(struct used *used, const struct setting *setting)
{
	for (size_t i = 0; i < used->count; i++)
		if (used->settings[i] == setting)
			return;
	if (used->count == USED_MAX)
		return;
	used->settings[used->count++] = setting;
	use_expression(used, setting->value);
}

static void use_expression(struct used *used, const struct expr *expr)
{
	if (!expr)
		return;
	if (expr->kind == EXPR_SETTING)
		use_setting(used, expr->setting);
	for (uint32_t i = 0; i < expr->arg_count; i++)
		use_expression(used, expr->args[i]);
}

static void use_type(struct used *used, const struct event_type *type)
{
	if (used->is_visited[type->number])
		return;
	used->is_visited[type->number] = true;
	for (uint32_t i = 0; i < type->member_count; i++) {
		use_type(used, type->members[i].type);
		use_expression(used, type->members[i].where);
	}
	for (uint32_t i = 0; i < type->column_count; i++)
		use_expression(used, type->columns[i].value);
	for (uint32_t i = 0; i < type->key_count; i++)
		use_expression(used, type->keys[i]);
	use_expression(used, type->while_condition);
	use_expression(used, type->when);
}

static void print_used(const struct used *used)
{
	for (size_t i = 0; i < used->count; i++) {
		const struct setting *setting = used->settings[i];
		const char *value = strchr(setting->text, '=') + 1;
		size_t length = strcspn(value, ";\"");
		while (length && strchr(" \t\r\n", value[length - 1]))
			length--;
		printf("%-12s%s =%.*s\n", i ? "" : "parameters", setting->name, (int)length, value);
	}
}

/* "[its only neighbour]": brackets mark words that depend on a condition. */
static void add_advice(const struct template *advice, struct text *out)
{
	static const char *const marks[] = {[MARK_VALUE] = "…", [MARK_WHEN] = "[", [MARK_END] = "]"};

	text_add(out, "%s", advice->texts[0]);
	for (uint32_t i = 0; i < advice->count; i++) {
		const struct template_part *part = &advice->parts[i];
		text_add(out, "%s", marks[part->mark]);
		if (part->nouns)
			text_add(out, " %s", part->nouns[locale_of(advice->lang)->plural_forms - 1]);
		text_add(out, "%s", advice->texts[i + 1]);
	}
}

static void show_problem(const struct rulebook *book, const char *lang, const struct problem *problem)
{
	struct used used = {.is_visited = memory_new(book->type_count, sizeof(bool))};
	struct text advice = {0};

	print_head(problem->is_metric ? "metric" : "problem", problem->id, &problem->origin);
	if (strcmp(problem->name, problem->id) != 0)
		print_wrapped("name", problem_name(problem, lang));
	print_wrapped("description", problem_description(problem, lang));
	add_advice(problem_advice(problem, lang), &advice);
	print_wrapped("advice", text_get(&advice));
	text_release(&advice);
	use_expression(&used, problem->when);
	use_expression(&used, problem->duration);
	for (uint32_t i = 0; i < problem->advice.count; i++)
		use_expression(&used, problem->advice.values[i]);
	use_type(&used, problem->type);
	print_used(&used);
	free(used.is_visited);
	print_source(problem->text);
}

static size_t widest_column(const struct event_type *type)
{
	size_t width = 0;

	for (uint32_t i = 0; i < type->column_count; i++) {
		size_t length = strlen(type->columns[i].name);
		width = length > width ? length : width;
	}
	return width;
}

/* As wide as the longest name of a type. */
enum { TYPE_WIDTH = 17 };

static void show_columns(const struct event_type *type)
{
	int width = (int)widest_column(type);
	struct arena arena = {0};

	printf("\n");
	for (uint32_t i = 0; i < type->column_count; i++) {
		const struct column *column = &type->columns[i];
		const char *kind = type_describe(&arena, column->type);
		const char *what = type->relation == RELATION_CALL ? call_columns[column->native].what
		                                                   : native_columns[column->native].what;
		if (*what)
			printf("%-*s  %-*s  %s\n", width, column->name, TYPE_WIDTH, kind, what);
		else
			printf("%-*s  %s\n", width, column->name, kind);
	}
	arena_release(&arena);
}

static int tell_unknown(const struct rulebook *book, const char *name)
{
	struct nearest nearest = {.word = name};

	for (size_t i = 0; i < book->problem_count; i++)
		nearest_offer(&nearest, book->problems[i]->id);
	for (size_t i = 0; i < book->type_count; i++)
		nearest_offer(&nearest, book->types[i]->name);
	for (size_t i = 0; i < book->setting_count; i++)
		nearest_offer(&nearest, book->settings[i]->name);
	if (nearest_found(&nearest))
		say("unknown name '%s', did you mean '%s'?", name, nearest_found(&nearest));
	else
		say("unknown name '%s': see 'tarry rules list'", name);
	return EXIT_FAILED;
}

/* Findings have the id 'mpi.late-sender', the metric is 'late-sender': a request for one shows both. */
static bool is_named(const struct problem *problem, const char *name)
{
	return strcmp(problem->id, name) == 0 || is_short_id(name, problem->id);
}

static bool show_problems(const struct rulebook *book, const char *lang, const char *name)
{
	bool is_found = false;

	for (size_t i = 0; i < book->problem_count; i++)
		if (is_named(book->problems[i], name)) {
			show_problem(book, lang, book->problems[i]);
			is_found = true;
		}
	return is_found;
}

/* An exit code. */
static int rules_show(const struct rulebook *book, const char *lang, const char *name)
{
	bool is_found = show_problems(book, lang, name);

	for (size_t i = 0; i < book->type_count; i++)
		if (strcmp(book->types[i]->name, name) == 0) {
			const struct event_type *type = book->types[i];
			static const char *const kinds[] = {"event", "relation", "composite event",
			                                    "composite event", "composite event"};
			struct used used = {.is_visited = memory_new(book->type_count, sizeof(bool))};

			print_head(kinds[type->form], type->name, &type->origin);
			print_wrapped("description",
			              translate_own(lang, type->description, type->descriptions));
			if (type->form == FORM_NATIVE)
				show_columns(type);
			use_type(&used, type);
			print_used(&used);
			free(used.is_visited);
			print_source(type->text);
			is_found = true;
		}
	for (size_t i = 0; i < book->setting_count; i++)
		if (strcmp(book->settings[i]->name, name) == 0) {
			const struct setting *setting = book->settings[i];

			print_head("parameter", setting->name, &setting->origin);
			print_wrapped("description",
			              translate_own(lang, setting->description, setting->descriptions));
			print_source(setting->text);
			is_found = true;
		}
	return is_found ? EXIT_FINE : tell_unknown(book, name);
}

static struct {
	struct string_list files;
	struct string_list settings;
	bool no_shipped, json, verbose;
	const char *lang;
} choice;

static const struct option_spec options[] = {
	{"rules", 0, "FILE", "for 'list' and 'show': also use these rules; may be repeated", OPTION_WORDS,
         &choice.files},
	{"no-shipped", 0, NULL, "use only the named files and their imports", OPTION_FLAG,
         &choice.no_shipped},
	{"set", 0, "NAME=VALUE", "set a parameter of the rules, such as eps=5us; may be repeated",
         OPTION_WORDS, &choice.settings},
	{"json", 0, NULL, "for 'list': print JSON", OPTION_FLAG, &choice.json},
	{"lang", 0, "LANG",
         "for 'list' and 'show': language of names and descriptions, such as ru; default: $TARRY_LANG, or en",
         OPTION_TEXT, &choice.lang},
	{"verbose", 'v', NULL, "for 'test': also name the tests that passed", OPTION_FLAG, &choice.verbose},
	OPTIONS_END,
};

static int run_list(const struct rulebook *book, char **names)
{
	const char *lang;

	(void)names;
	if (!choose_language(book, choice.lang, &lang))
		return EXIT_USAGE;
	rules_list(book, lang, choice.json);
	return EXIT_FINE;
}

static int run_show(const struct rulebook *book, char **names)
{
	const char *lang;
	int code = choose_language(book, choice.lang, &lang) ? EXIT_FINE : EXIT_USAGE;

	for (; *names && code == EXIT_FINE; names++)
		code = rules_show(book, lang, *names);
	return code;
}

/* Functions outside MPI get wrappers when a job is recorded. */
static bool can_be_traced(const struct rulebook *book)
{
	struct arena arena = {0};
	struct wrappers wrappers;
	bool can = wrappers_write(book, &arena, &wrappers) == OK;

	if (!can)
		report_failure();
	arena_release(&arena);
	return can;
}

/* The functions that convert a test to a trace know the fields that a call can have. */
static bool can_be_tested(const struct rulebook *book)
{
	bool can = true;

	for (size_t i = 0; i < book->test_count; i++)
		if (rule_test_fields(book, book->tests[i]) != OK) {
			report_failure();
			can = false;
		}
	return can;
}

static bool is_declared_in(const struct origin *origin, const char *file)
{
	return !file || (origin->file && path_is_same_file(file, origin->file));
}

static void add_count(struct text *line, size_t count, const char *one, const char *many)
{
	if (!count)
		return;
	text_add(line, "%s", line->length ? ", " : "");
	text_add_counted(line, count, one, many);
}

/* The declarations of one file; NULL: of all. */
static void tell_of_file(const struct rulebook *book, const char *file)
{
	size_t problems = 0, metrics = 0, types = 0, tests = 0;
	struct text line = {0};

	for (size_t i = 0; i < book->problem_count; i++) {
		const struct problem *problem = book->problems[i];
		if (is_declared_in(&problem->origin, file))
			*(problem->is_metric ? &metrics : &problems) += 1;
	}
	for (size_t i = RELATIONS_END; i < book->type_count; i++)
		types += is_declared_in(&book->types[i]->origin, file);
	for (size_t i = 0; i < book->test_count; i++)
		tests += !file || path_is_same_file(file, book->tests[i]->file);
	add_count(&line, problems, "problem", "problems");
	add_count(&line, metrics, "metric", "metrics");
	add_count(&line, types, "event type", "event types");
	add_count(&line, tests, "test", "tests");
	printf("%s: no errors%s%s\n", file ? file : "shipped rules",
	       line.length ? " in " : ", but no declarations", text_get(&line));
	text_release(&line);
}

static int run_check(const struct rulebook *book, char **files)
{
	if (!can_be_traced(book) || !can_be_tested(book))
		return EXIT_FAILED;
	if (!*files)
		tell_of_file(book, NULL);
	for (; *files; files++)
		tell_of_file(book, *files);
	return EXIT_FINE;
}

/* In one of the given files; without files, in any. */
static bool is_wanted(const struct rule_test *test, char **files)
{
	for (char **file = files; *file; file++)
		if (path_is_same_file(*file, test->file))
			return true;
	return !*files;
}

static bool passes(const struct rulebook *book, const struct rule_test *test)
{
	struct text complaints = {0};
	bool passed;

	if (rule_test_run(book, test, &complaints) != OK)
		text_add(&complaints, "%s\n", trail_text());
	passed = !complaints.length;
	if (choice.verbose || !passed)
		printf("%s: %s\n%s", passed ? "passed" : "FAILED", test->name, text_get(&complaints));
	text_release(&complaints);
	return passed;
}

static int run_test(const struct rulebook *book, char **files)
{
	size_t count = 0, failed = 0;

	for (size_t i = 0; i < book->test_count; i++) {
		if (!is_wanted(book->tests[i], files))
			continue;
		count++;
		failed += !passes(book, book->tests[i]);
	}
	printf("%zu test%s, %zu failed\n", count, count == 1 ? "" : "s", failed);
	return failed ? EXIT_FAILED : EXIT_FINE;
}

static const struct subcommand {
	const char *name;
	bool takes_files; /* operands are rule files, not names in rules */
	int (*run)(const struct rulebook *book, char **operands);
} subcommands[] = {
	{"list", false, run_list},
	{"show", false, run_show},
	{"check", true, run_check},
	{"test", true, run_test},
};

static int run_rules(const struct invocation *given)
{
	const struct subcommand *chosen = NULL;
	const char *word = given->argv[0];
	char **operands = given->argv + 1;
	struct nearest nearest = {.word = word};
	struct rule_options rules = {.settings = choice.settings.at, .without_shipped = choice.no_shipped};
	struct rulebook *book;
	int code;

	for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++) {
		if (strcmp(subcommands[i].name, word) == 0)
			chosen = &subcommands[i];
		nearest_offer(&nearest, subcommands[i].name);
	}
	if (!chosen && nearest_found(&nearest))
		return misuse(&command_rules, "unknown command 'rules %s', did you mean 'rules %s'?", word,
		              nearest_found(&nearest));
	if (!chosen)
		return misuse(&command_rules, "unknown command 'rules %s'", word);
	if (chosen->run == run_list && *operands)
		return misuse(&command_rules, "'tarry rules list' takes no names: name files with --rules");
	if (chosen->run == run_show && !*operands)
		return misuse(&command_rules,
		              "'tarry rules show' needs a name: 'tarry rules list' prints all names");
	if (chosen->takes_files && !*operands && choice.no_shipped)
		return misuse(&command_rules, "'tarry rules %s' needs files", word);
	rules.files = chosen->takes_files ? (const char *const *)operands : choice.files.at;
	code = load_rules(rules, &book);
	if (code != EXIT_FINE)
		return code;
	code = chosen->run(book, operands);
	rulebook_free(book);
	return code;
}

const struct command command_rules = {
	.name = "rules",
	.summary = "list and show rules, and check and test your own",
	.usage = "[options] list | show NAME... | check [FILE...] | test [FILE...]",
	.example = "tarry rules list\n"
		   "tarry rules show late-sender\n"
		   "tarry rules check mine.rules\n"
		   "tarry rules test mine.rules",
	.options = options,
	.operands = {1, OPERANDS_ANY},
	.run = run_rules,
};
