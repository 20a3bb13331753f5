/* The meaning of names in expressions. */
#include "analysis/rules/checker.h"
#include "calls/calls.h"

#include <string.h>

static struct expr *event_expr(struct name_scope *scope, enum expr_kind kind, uint32_t member,
                               struct source_range place)
{
	struct expr *expr = expr_new(scope->checker, kind, type_event, place);

	expr->member = member;
	expr->event = kind == EXPR_SELF ? scope->type : scope->type->members[member].type;
	return expr;
}

struct expr *expr_self(struct name_scope *scope, struct source_range place)
{
	return event_expr(scope, EXPR_SELF, 0, place);
}

/* UINT32_MAX: none. */
static uint32_t find_member(const struct name_scope *scope, const char *name)
{
	if (!scope->type)
		return UINT32_MAX;
	for (uint32_t i = 0; i < scope->visible_members; i++)
		if (strcmp(scope->type->members[scope->first_member + i].name, name) == 0)
			return scope->first_member + i;
	return UINT32_MAX;
}

static struct expr *check_problem_name(const struct name_scope *scope, const char *name)
{
	if (!scope->problem)
		return NULL;
	if (strcmp(name, "duration") == 0)
		return scope->problem->duration;
	if (strcmp(name, "at") == 0)
		return scope->problem->at;
	return strcmp(name, "partner") == 0 ? scope->problem->partner : NULL;
}

static struct expr *check_argument(struct name_scope *scope, const struct syntax *syntax)
{
	const struct prototype *prototype = scope->prototype;
	const char *name = syntax->name.text, *c_type = prototype->result, *star;
	struct type type = type_count;
	struct expr *expr;
	uint32_t at = 0;

	while (at < prototype->argument_count && strcmp(prototype->arguments[at].name, name) != 0)
		at++;
	if (at < prototype->argument_count)
		c_type = prototype->arguments[at].c_type;
	else if (strcmp(name, "result") != 0 || strcmp(c_type, "void") == 0)
		return NULL;
	star = strchr(c_type, '*');
	if (star && strstr(c_type, "char") && star == strrchr(c_type, '*'))
		type = type_text;
	else if (star)
		add_error(
			scope->checker->errors, syntax->place,
			"'%s' is a pointer (%s), and the memory behind pointers is not recorded: use numbers and strings",
			name, c_type);
	else if (strstr(c_type, "double") || strstr(c_type, "float"))
		type = type_real;
	expr = expr_new(scope->checker, EXPR_ARGUMENT, type, syntax->place);
	expr->member = at < prototype->argument_count ? at : ARGUMENT_RESULT;
	expr->text = name;
	return expr;
}

static struct expr *error_unknown_name(struct name_scope *scope, const struct syntax *syntax)
{
	/* Words that have a meaning elsewhere. */
	static const char *const misplaced[][2] = {
		{"mine",
	         "'mine' can be used only in the 'where' of an aggregate in a problem 'for each' member of a group"},
		{"previous",
	         "'previous' can be used only in the 'while' of a run, as previous.NAME of a member"},
		{"run", "'run' needs the name of a figure, such as run.length"},
	};
	struct nearest nearest = {.word = syntax->name.text};
	struct diagnostics *errors = scope->checker->errors;

	for (size_t i = 0; i < sizeof misplaced / sizeof *misplaced; i++)
		if (strcmp(nearest.word, misplaced[i][0]) == 0)
			return add_error(errors, syntax->place, "%s", misplaced[i][1]);
	/* A member of the composite; the problem can use only parameters of the composite. */
	for (uint32_t i = 0; scope->type && i < scope->type->member_count; i++)
		if (strcmp(scope->type->members[i].name, nearest.word) == 0)
			return add_error(
				errors, syntax->place,
				"'%s' is a member of '%s' and is not visible here: give '%s' a parameter for it",
				nearest.word, scope->type->name, scope->type->name);
	for (uint32_t i = 0; scope->type && i < scope->visible_members; i++)
		nearest_offer(&nearest, scope->type->members[scope->first_member + i].name);
	for (uint32_t i = 0; scope->type && i < scope->visible_columns; i++)
		nearest_offer(&nearest, scope->type->columns[i].name);
	for (uint32_t i = 0; scope->prototype && i < scope->prototype->argument_count; i++)
		nearest_offer(&nearest, scope->prototype->arguments[i].name);
	offer_arguments(scope, &nearest);
	names_offer(&scope->checker->settings, &nearest);
	if (text_begins(nearest.word, "MPI_") || text_begins(nearest.word, "upc_") ||
	    text_begins(nearest.word, "shmem_"))
		for (size_t i = 0; i < ALL_CALLS; i++)
			nearest_offer(&nearest, all_calls[i].name);
	return error_unknown(scope->checker, syntax->name, "name", &nearest);
}

/* A rule parameter, or a function. */
static struct expr *check_global_name(struct name_scope *scope, const struct syntax *syntax)
{
	const char *name = syntax->name.text;
	struct symbol *symbol = names_find(&scope->checker->settings, name);
	const struct call_info *call = call_find(name);
	struct setting *setting;
	struct expr *expr;

	if (symbol) {
		setting = check_setting(scope->checker, symbol, scope->user);
		if (!setting || (scope->user && !symbol_uses(scope->checker, scope->user, symbol)))
			return NULL;
		expr = expr_new(scope->checker, EXPR_SETTING, setting->value->type, syntax->place);
		expr->setting = setting;
		expr->text = setting->name;
		return expr;
	}
	if (scope->is_condition && (expr = check_problem_name(scope, name)))
		return expr;
	if (!call && !names_find(&scope->checker->functions, name))
		return error_unknown_name(scope, syntax);
	expr = expr_new(scope->checker, EXPR_LITERAL, type_function, syntax->place);
	expr->number = call ? call - all_calls : -1;
	expr->text = name;
	return expr;
}

struct expr *check_name(struct name_scope *scope, const struct syntax *syntax)
{
	const char *name = syntax->name.text;
	uint32_t member = find_member(scope, name), column;
	struct expr *expr;
	bool is_argument;

	if (member != UINT32_MAX) {
		if (scope->is_each && !scope->in_aggregate)
			return event_expr(scope, EXPR_EACH, member, syntax->place);
		if (scope->is_many && !scope->in_aggregate)
			return add_error(
				scope->checker->errors, syntax->place,
				"'%s' means many events here: use first(%s.…), max(%s.…) or another aggregate",
				name, name, name);
		return event_expr(scope, EXPR_MEMBER, member, syntax->place);
	}
	if (scope->prototype && (expr = check_argument(scope, syntax)))
		return expr;
	if ((expr = check_call_argument(scope, syntax, &is_argument)) || is_argument)
		return expr;
	if (!scope->is_condition && (expr = check_problem_name(scope, name)))
		return expr;
	column = scope->type ? column_find(scope->type, name) : UINT32_MAX;
	if (column < scope->visible_columns)
		return expr_column(scope->checker, expr_self(scope, syntax->place), column, syntax->place);
	return check_global_name(scope, syntax);
}

static bool is_word(const struct syntax *syntax, const char *word)
{
	return syntax->kind == SYNTAX_NAME && strcmp(syntax->name.text, word) == 0;
}

static bool is_same_syntax(const struct syntax *a, const struct syntax *b)
{
	if (a->kind != b->kind || (a->kind != SYNTAX_NAME && a->kind != SYNTAX_FIELD) ||
	    strcmp(a->name.text, b->name.text) != 0)
		return false;
	return a->kind == SYNTAX_NAME || is_same_syntax(a->args, b->args);
}

static struct expr *check_run_figure(struct name_scope *scope, const struct syntax *syntax)
{
	struct nearest nearest = {.word = syntax->name.text};
	struct expr *expr;

	for (uint32_t i = 0; i < RUN_FIGURES_END; i++) {
		nearest_offer(&nearest, run_figures[i].name);
		if (strcmp(run_figures[i].name, syntax->name.text) != 0)
			continue;
		expr = expr_new(scope->checker, EXPR_RUN, run_figures[i].type, syntax->name.place);
		expr->run = (enum run_figure)i;
		expr->text = run_figures[i].name;
		return expr;
	}
	return error_unknown(scope->checker, syntax->name, "figure of the run", &nearest);
}

struct expr *check_field(struct name_scope *scope, const struct syntax *syntax)
{
	const struct syntax *of = syntax->args, *key = scope->keys;
	struct nearest nearest = {.word = syntax->name.text};
	struct expr *event;
	bool is_argument;
	uint32_t found;

	if ((event = check_call_argument(scope, syntax, &is_argument)) || is_argument)
		return event;
	if (is_word(of, "run") && find_member(scope, "run") == UINT32_MAX)
		return check_run_figure(scope, syntax);
	if (is_word(of, "previous") && scope->has_previous) {
		found = find_member(scope, syntax->name.text);
		if (found != UINT32_MAX)
			return event_expr(scope, EXPR_PREVIOUS, found, syntax->name.place);
		nearest_offer(&nearest, scope->type->members[0].name);
		return error_unknown(scope->checker, syntax->name, "member", &nearest);
	}
	while (key && !is_same_syntax(key, syntax))
		key = key->next;
	/* A key is the same for all members of its group. */
	if (scope->is_many && !scope->in_aggregate && key) {
		struct name_scope inside = *scope;

		inside.in_aggregate = true;
		event = check_field(&inside, syntax);
		return event ? expr_aggregate(scope->checker, AGGREGATE_FIRST, event, NULL, NULL) : NULL;
	}
	event = is_word(of, "mine") && scope->is_each && scope->in_aggregate_where
	                ? event_expr(scope, EXPR_MINE, scope->each, of->place)
	                : check_expression(scope, of);
	if (!event)
		return NULL;
	if (event->type.base != TYPE_EVENT)
		return add_error(scope->checker->errors, syntax->args->place,
		                 "this is %s: only events have columns", describe(scope->checker, event));
	found = column_find(event->event, syntax->name.text);
	if (found != UINT32_MAX)
		return expr_column(scope->checker, event, found, syntax->name.place);
	for (uint32_t i = 0; i < column_count(event->event); i++)
		nearest_offer(&nearest, column_name(event->event, i));
	return error_missing(scope->checker, syntax->name,
	                     arena_format(scope->checker->arena, "'%s' has no column",
	                                  event->event ? event->event->name : "call"),
	                     &nearest);
}
