#include "analysis/rules/checker.h"
#include "analysis/rules/modules.h"
#include "analysis/rules/rule_test.h"
#include "calls/calls.h"

#include <string.h>

static bool check_time(struct checker *checker, const struct syntax *syntax, int64_t *ns)
{
	struct name_scope scope = {.checker = checker};
	struct expr *expr = check_expression(&scope, syntax);

	if (!expr)
		return false;
	if (expr->kind != EXPR_LITERAL || !types_agree(expr->type, type_time))
		return add_error(checker->errors, syntax->place, "a time is needed here, such as 5 ms");
	*ns = expr->number;
	return true;
}

static const char *field_value(struct checker *checker, const struct syntax *syntax)
{
	struct name_scope scope = {.checker = checker};
	struct expr *expr;

	if (syntax->name.others)
		return add_error(checker->errors, syntax->name.others->lang.place,
		                 "fields of a call have no translations: give one text");
	if (syntax->kind == SYNTAX_NAME || syntax->kind == SYNTAX_STRING)
		return syntax->name.text;
	expr = check_expression(&scope, syntax);
	if (!expr)
		return NULL;
	if (expr->kind == EXPR_LITERAL && expr->type.base == TYPE_BOOL)
		return expr->number ? "1" : "0";
	if (expr->kind != EXPR_LITERAL || expr->type.base != TYPE_NUMBER)
		return add_error(checker->errors, syntax->place,
		                 "a number, a word or a string is needed here");
	if (expr->type.is_real)
		return arena_format(checker->arena, "%.17g", expr->real);
	return arena_format(checker->arena, "%lld", (long long)expr->number);
}

/* Each rank is a process of the test's trace, even without calls. */
enum { TEST_RANKS_MAX = 1024 };

static bool check_test_event(struct checker *checker, const struct test_event *syntax,
                             struct rule_test_event *event)
{
	size_t count = 0;

	*event = (struct rule_test_event){.rank = (uint32_t)syntax->rank,
	                                  .thread = (uint32_t)syntax->thread,
	                                  .function = syntax->function.text,
	                                  .file = syntax->file.text,
	                                  .line = (uint32_t)syntax->line,
	                                  .origin = origin_of(syntax->place)};
	if (!call_find(event->function) && !names_find(&checker->functions, event->function) &&
	    !text_begins(event->function, "tarry_")) {
		struct nearest nearest = {.word = syntax->function.text};

		for (size_t i = 0; i < ALL_CALLS; i++)
			nearest_offer(&nearest, all_calls[i].name);
		names_offer(&checker->functions, &nearest);
		return error_unknown(checker, syntax->function, "function", &nearest);
	}
	if (syntax->rank >= TEST_RANKS_MAX)
		return add_error(checker->errors, syntax->place, "a test has ranks from 0 to %d",
		                 TEST_RANKS_MAX - 1);
	for (const struct binding *b = syntax->fields; b; b = b->next) {
		struct rule_test_field field = {b->name.text, field_value(checker, b->value)};
		if (!field.value)
			return false;
		arena_add(checker->arena, event->fields, count, field);
	}
	event->field_count = (uint32_t)count;
	if (!check_time(checker, syntax->start, &event->start_ns) ||
	    !check_time(checker, syntax->end, &event->end_ns))
		return false;
	if (event->start_ns >= 0 && event->start_ns <= event->end_ns)
		return true;
	return add_error(checker->errors, syntax->end->place,
	                 "a call cannot end before it starts, or start before 0 s");
}

static bool check_expectation(struct checker *checker, const struct test_expectation *syntax,
                              struct rule_test_expectation *expectation)
{
	struct nearest nearest = {.word = syntax->id.text};
	size_t errors = checker->errors->error_count;
	const struct symbol *symbol = find_by_id(checker, &checker->problems, syntax->id);

	*expectation = (struct rule_test_expectation){.id = symbol ? symbol->name : "",
	                                              .has_rank = syntax->rank >= 0,
	                                              .rank = syntax->rank >= 0 ? (uint32_t)syntax->rank : 0,
	                                              .count = (uint32_t)syntax->count,
	                                              .origin = origin_of(syntax->id.place)};
	if (!symbol && checker->errors->error_count > errors)
		return false;
	if (!symbol) {
		names_offer(&checker->problems, &nearest);
		return error_unknown(checker, syntax->id, "problem", &nearest);
	}
	expectation->has_duration = syntax->duration != NULL;
	return !syntax->duration || check_time(checker, syntax->duration, &expectation->duration_ns);
}

/* More calls would not improve a test. */
enum { REPEATS_MAX = 10000 };

static bool add_test_events(struct checker *checker, const struct test_event *syntax, struct rule_test *test)
{
	const struct repeat_syntax *repeat = &syntax->repeat;
	struct rule_test_event event;
	int64_t every_ns = 0;

	if (!check_test_event(checker, syntax, &event) ||
	    (repeat->every && !check_time(checker, repeat->every, &every_ns)))
		return false;
	if (repeat->every && (every_ns <= 0 || repeat->count < 1 || repeat->count > REPEATS_MAX))
		return add_error(
			checker->errors, repeat->every->place,
			"a call can be repeated 1 to %d times, with a time above 0 from each to the next",
			REPEATS_MAX);
	for (int64_t i = 0; i < repeat->count; i++) {
		arena_add(checker->arena, test->events, test->event_count, event);
		if (__builtin_add_overflow(event.start_ns, every_ns, &event.start_ns) ||
		    __builtin_add_overflow(event.end_ns, every_ns, &event.end_ns))
			break;
	}
	return true;
}

void check_test(struct checker *checker, const struct declaration *declaration)
{
	struct rule_test *test = arena_new(checker->arena, struct rule_test);
	const struct test_expectation *expectations = declaration->test.expectations;
	bool is_fine = true;

	*test = (struct rule_test){.name = declaration->name.text,
	                           .file = declaration->place.source->path,
	                           .origin = origin_of(declaration->place)};
	test->visible = modules_visible(checker->modules, test->file, &test->visible_count);
	for (const struct test_expectation *e = expectations; e && is_fine; e = e->next)
		if (!e->id.text && (e->next || e != expectations))
			is_fine = add_error(checker->errors, e->id.place,
			                    "'expect nothing' excludes other expectations");
	for (const struct test_event *e = declaration->test.events; e; e = e->next)
		is_fine &= add_test_events(checker, e, test);
	for (const struct test_expectation *e = expectations; e; e = e->next) {
		struct rule_test_expectation expectation;
		if (!e->id.text)
			continue;
		is_fine &= check_expectation(checker, e, &expectation);
		arena_add(checker->arena, test->expectations, test->expectation_count, expectation);
	}
	if (is_fine)
		arena_add(checker->arena, checker->book->tests, checker->book->test_count, test);
}
