/* Prints the parsed form of rule files: every type, expression and problem, or the errors.
 *
 *	print_rules [--shipped FOLDER] [--set NAME=VALUE]... [--functions] FILE... */
#include "analysis/rules/diagnostics.h"
#include "analysis/rules/functions.h"
#include "analysis/rules/rule_test.h"
#include "base/units.h"
#include "calls/calls.h"

#include <stdio.h>
#include <string.h>

static const char *const operators[] = {
	[OP_NOT] = "not",          [OP_MINUS] = "-",  [OP_ADD] = "+",         [OP_SUBTRACT] = "-",
	[OP_MULTIPLY] = "*",       [OP_DIVIDE] = "/", [OP_MODULO] = "%",      [OP_EQUAL] = "=",
	[OP_UNEQUAL] = "!=",       [OP_LESS] = "<",   [OP_LESS_EQUAL] = "<=", [OP_GREATER] = ">",
	[OP_GREATER_EQUAL] = ">=", [OP_AND] = "and",  [OP_OR] = "or",
};

static const char *const aggregates[] = {
	[AGGREGATE_MIN] = "min",           [AGGREGATE_MAX] = "max",       [AGGREGATE_SUM] = "sum",
	[AGGREGATE_COUNT] = "count",       [AGGREGATE_MEAN] = "mean",     [AGGREGATE_FIRST] = "first",
	[AGGREGATE_LAST] = "last",         [AGGREGATE_ARGMIN] = "argmin", [AGGREGATE_ARGMAX] = "argmax",
	[AGGREGATE_DISTINCT] = "distinct",
};

static void print_type(struct type type, const struct event_type *event)
{
	static const char *const bases[] = {"bool",     "number", "rank",     "text",
	                                    "function", "place",  "identity", "event"};
	static const char *const things[] = {"process", "thread", "node",     "comm",       "window", "file",
	                                     "request", "lock",   "instance", "completion", "phase",  "call"};

	if (type.base == TYPE_IDENTITY)
		printf("%s", things[type.thing]);
	else
		printf("%s%s%s", type.is_real ? "real " : "", type.is_instant ? "instant " : "",
		       bases[type.base]);
	if (type.seconds && !type.is_instant)
		printf(" s^%d", type.seconds);
	if (type.bytes)
		printf(" B^%d", type.bytes);
	if (type.base == TYPE_EVENT)
		printf(" %s", event ? event->name : "call");
}

static void print_literal(const struct expr *expr)
{
	if (expr->type.base == TYPE_TEXT)
		printf("\"%s\"", expr->text);
	else if (expr->type.base == TYPE_FUNCTION)
		printf("%s", expr->text);
	else if (expr->type.is_real)
		printf("%g", expr->real);
	else
		printf("%lld", (long long)expr->number);
}

static void print_expr(const struct expr *expr);

static void print_list(const char *head, const struct expr *expr)
{
	printf("(%s", head);
	for (uint32_t i = 0; i < expr->arg_count; i++) {
		if (!expr->args[i])
			continue;
		printf(i == 1 && expr->kind == EXPR_AGGREGATE ? " where " : " ");
		print_expr(expr->args[i]);
	}
	printf(")");
}

static void print_column(const struct expr *expr)
{
	const struct event_type *type = expr->args[0]->event;

	print_expr(expr->args[0]);
	printf(".%s", type ? type->columns[expr->column].name : call_columns[expr->column].name);
}

static void print_expr(const struct expr *expr)
{
	switch (expr->kind) {
	case EXPR_LITERAL:
		print_literal(expr);
		break;
	case EXPR_SETTING:
		printf("%s", expr->setting->name);
		break;
	case EXPR_RUN:
		printf("run.%s", run_figures[expr->run].name);
		break;
	case EXPR_SURVEY:
		printf("survey(%s, ", expr->text);
		print_expr(expr->args[0]);
		printf(")");
		break;
	case EXPR_MEMBER:
		printf("member%u", expr->member);
		break;
	case EXPR_EACH:
		printf("each");
		break;
	case EXPR_MINE:
		printf("mine");
		break;
	case EXPR_PREVIOUS:
		printf("previous");
		break;
	case EXPR_SELF:
		printf("self");
		break;
	case EXPR_COLUMN:
		print_column(expr);
		break;
	case EXPR_ARGUMENT:
		printf("argument:%s", expr->text);
		break;
	case EXPR_AGGREGATE:
		print_list(aggregates[expr->aggregate], expr);
		break;
	case EXPR_UNARY:
	case EXPR_BINARY:
		print_list(operators[expr->op], expr);
		break;
	default:
		print_list(expr->kind == EXPR_CHOICE     ? "if"
		           : expr->kind == EXPR_LEAST    ? "least"
		           : expr->kind == EXPR_GREATEST ? "greatest"
		                                         : "in",
		           expr);
	}
}

static void print_named(const char *name, const struct expr *expr)
{
	if (!expr)
		return;
	printf("  %s = ", name);
	print_expr(expr);
	printf("\n");
}

static void print_members(const struct event_type *type)
{
	static const char *const orders[] = {"", "last ", "first "};

	for (uint32_t i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];
		printf("  member %s%s%s as %s", member->is_shared ? "shared " : "", orders[member->order],
		       member->type->name, member->name);
		if (member->order != MEMBER_ANY)
			printf(" %s %s", member->order == MEMBER_LAST_BEFORE ? "before" : "after",
			       type->members[member->other].name);
		if (member->where) {
			printf(" where ");
			print_expr(member->where);
		}
		printf("\n");
	}
}

static void print_columns(const struct event_type *type)
{
	for (uint32_t i = 0; i < type->column_count; i++) {
		const struct column *column = &type->columns[i];
		if (!column->value)
			continue;
		printf("  %s: ", column->name);
		print_type(column->type, column->event);
		printf("%s = ", column->is_out ? " out" : "");
		print_expr(column->value);
		printf("\n");
	}
}

static void print_prototype(const struct prototype *prototype)
{
	printf("  result: %s\n", prototype->result);
	for (uint32_t i = 0; i < prototype->argument_count; i++)
		printf("  argument %s: %s\n", prototype->arguments[i].name, prototype->arguments[i].c_type);
}

static void print_translations(const char *what, const struct translation *others)
{
	for (; others; others = others->next)
		printf("  %s in %s = \"%s\"\n", what, others->lang, others->text);
}

static void print_event_type(const struct event_type *type)
{
	static const char *const forms[] = {"call", "native", "join", "group", "run"};

	printf("%s %s", forms[type->form], type->name);
	for (size_t i = 0; type->functions && type->functions[i]; i++)
		printf(" %s", type->functions[i]);
	printf("%s%s\n", *type->description ? ": " : "", type->description);
	print_translations("description", type->descriptions);
	if (type->prototype)
		print_prototype(type->prototype);
	print_members(type);
	for (uint32_t i = 0; i < type->key_count; i++)
		print_named("by", type->keys[i]);
	print_named("while", type->while_condition);
	print_named("when", type->when);
	print_columns(type);
}

static void print_advice(const struct template *advice)
{
	static const char *const marks[] = {[MARK_VALUE] = "", [MARK_WHEN] = "when ", [MARK_END] = "end of "};

	printf("  advice%s%s = \"%s", advice->lang ? " in " : "", advice->lang ? advice->lang : "",
	       advice->texts[0]);
	for (uint32_t i = 0; i < advice->count; i++) {
		printf("{");
		printf("%s", marks[advice->parts[i].mark]);
		print_expr(advice->values[i]);
		for (size_t j = 0; advice->parts[i].nouns && j < locale_of(advice->lang)->plural_forms; j++)
			printf(" | %s", advice->parts[i].nouns[j]);
		printf("}%s", advice->texts[i + 1]);
	}
	printf("\"\n");
}

static void print_problem(const struct problem *problem)
{
	static const char *const confidences[] = {"certain", "likely", "suspicion"};

	printf("%s %s for %s%s\n", problem->is_metric ? "metric" : "problem", problem->id,
	       problem->is_for_each ? "each of " : "", problem->type->name);
	printf("  name = \"%s\"\n", problem->name);
	if (*problem->description)
		printf("  description = \"%s\"\n", problem->description);
	print_translations("name", problem->names);
	print_translations("description", problem->descriptions);
	if (problem->confidence)
		printf("  confidence = %s\n", confidences[problem->confidence]);
	if (problem->remedy)
		printf("  remedy = %s\n", remedy_names[problem->remedy]);
	print_named("when", problem->when);
	print_named("duration", problem->duration);
	print_named("at", problem->at);
	print_named("partner", problem->partner);
	for (const struct template *advice = &problem->advice; advice; advice = advice->next)
		if (advice->count || *advice->texts[0])
			print_advice(advice);
}

static void print_setting(const struct setting *setting)
{
	printf("parameter %s: ", setting->name);
	print_type(setting->value->type, NULL);
	printf(" = ");
	print_expr(setting->value);
	printf("%s%s%s\n", *setting->description ? " # " : "", setting->description,
	       setting->is_given ? " (given)" : "");
	print_translations("description", setting->descriptions);
}

static void print_test(const struct rule_test *test)
{
	printf("test \"%s\"\n", test->name);
	for (uint32_t i = 0; i < test->event_count; i++) {
		const struct rule_test_event *event = &test->events[i];
		printf("  %u.%u %s(", event->rank, event->thread, event->function);
		for (uint32_t j = 0; j < event->field_count; j++)
			printf("%s%s=%s", j ? " " : "", event->fields[j].name, event->fields[j].value);
		printf(") %lld..%lld %s:%u\n", (long long)event->start_ns, (long long)event->end_ns,
		       event->file, event->line);
	}
	for (uint32_t i = 0; i < test->expectation_count; i++) {
		const struct rule_test_expectation *e = &test->expectations[i];
		printf("  expect %s", e->id);
		if (e->has_rank)
			printf(" rank %u", e->rank);
		if (e->has_duration)
			printf(" of %lld", (long long)e->duration_ns);
		printf(e->count ? ", %u times\n" : "\n", e->count);
	}
}

static void print_book(const struct rulebook *book)
{
	for (size_t i = 0; i < book->setting_count; i++)
		print_setting(book->settings[i]);
	for (size_t i = RELATIONS_END; i < book->type_count; i++)
		print_event_type(book->types[i]);
	for (size_t i = 0; i < book->problem_count; i++)
		print_problem(book->problems[i]);
	for (size_t i = 0; i < book->test_count; i++)
		print_test(book->tests[i]);
	for (size_t i = 0; i < book->phrase_count; i++) {
		printf("phrase \"%s\"\n", book->phrases[i].text);
		print_translations("text", book->phrases[i].others);
	}
}

static void print_functions(const struct rulebook *book)
{
	bool needed[SELECTABLE] = {false};

	rulebook_functions(book, needed);
	for (size_t i = 0; i < ALL_CALLS; i++)
		if (needed[i])
			printf("%s\n", all_calls[i].name);
	if (needed[SELECT_MARKS])
		printf("%s\n", select_marks);
}

static void print_diagnostics(const struct diagnostics *told)
{
	struct text text = {0};

	for (size_t i = 0; i < told->count; i++)
		diagnostic_describe(&told->list[i], &text);
	fputs(text_get(&text), stdout);
	text_release(&text);
}

enum { WORDS_MAX = 64 };

int main(int argc, char **argv)
{
	const char *files[WORDS_MAX] = {NULL}, *settings[WORDS_MAX] = {NULL};
	struct rule_options wish = {.files = files, .settings = settings, .without_shipped = true};
	struct diagnostics told = {0};
	struct rulebook *book;
	size_t file_count = 0, setting_count = 0;
	bool functions = false;

	for (int i = 1; i < argc && i < WORDS_MAX; i++) {
		if (strcmp(argv[i], "--shipped") == 0 && argv[i + 1]) {
			wish.shipped = argv[++i];
			wish.without_shipped = false;
		} else if (strcmp(argv[i], "--set") == 0 && argv[i + 1]) {
			settings[setting_count++] = argv[++i];
		} else if (strcmp(argv[i], "--without-tests") == 0) {
			wish.without_tests = true;
		} else if (strcmp(argv[i], "--functions") == 0) {
			functions = true;
		} else {
			files[file_count++] = argv[i];
		}
	}
	if (rulebook_check(&wish, &told, &book) == OK) {
		if (functions)
			print_functions(book);
		else
			print_book(book);
		rulebook_free(book);
	}
	print_diagnostics(&told);
	diagnostics_release(&told);
	return 0;
}
