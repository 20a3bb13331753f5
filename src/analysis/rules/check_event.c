/* Declared events: calls of some functions, with values of their arguments. */
#include "analysis/rules/checker.h"
#include "calls/calls.h"

#include <string.h>

static void add_call_columns(struct checker *checker, struct event_type *type)
{
	for (uint32_t i = 0; i < CALL_COLUMNS_END; i++)
		column_add(checker, type,
		           (struct column){
				   .name = call_columns[i].name, .type = call_columns[i].type, .native = i});
}

static void error_no_function(struct checker *checker, struct token name)
{
	struct nearest nearest = {.word = name.text};

	for (size_t i = 0; i < ALL_CALLS; i++)
		nearest_offer(&nearest, all_calls[i].name);
	if (nearest_found(&nearest))
		error_unknown(checker, name, "MPI function", &nearest);
	else
		add_error(
			checker->errors, name.place,
			"unknown MPI function '%s': of another one give the prototype, as in for \"int close(int fd)\"",
			name.text);
}

static const char *const *check_functions(struct checker *checker, const struct syntax *first)
{
	uint32_t count = 0;
	const char **functions;
	bool is_fine = true;

	for (const struct syntax *syntax = first; syntax; syntax = syntax->next)
		count++;
	functions = arena_array(checker->arena, const char *, count + 1);
	count = 0;
	for (const struct syntax *syntax = first; syntax; syntax = syntax->next) {
		functions[count++] = syntax->name.text;
		if (call_find(syntax->name.text))
			continue;
		error_no_function(checker, syntax->name);
		is_fine = false;
	}
	return is_fine ? functions : NULL;
}

static const char *const *check_prototype(struct checker *checker, const struct declaration *declaration,
                                          struct event_type *type)
{
	const char **functions = arena_array(checker->arena, const char *, 2);

	type->prototype = parse_prototype(checker, declaration->prototype);
	if (!type->prototype)
		return NULL;
	if (call_find(type->prototype->function)) {
		add_error(checker->errors, declaration->prototype.place,
		          "'%s' is MPI's: name it without a prototype", type->prototype->function);
		return NULL;
	}
	functions[0] = type->prototype->function;
	if (!names_find(&checker->functions, functions[0]))
		names_add(checker->arena, &checker->functions, functions[0], declaration);
	return functions;
}

static bool uses_result(const struct expr *expr)
{
	if (expr->kind == EXPR_ARGUMENT && expr->member == ARGUMENT_RESULT)
		return true;
	for (uint32_t i = 0; i < expr->arg_count; i++)
		if (expr->args[i] && uses_result(expr->args[i]))
			return true;
	return false;
}

static bool is_new_column(struct checker *checker, const struct event_type *type,
                          const struct binding *binding)
{
	for (uint32_t i = CALL_COLUMNS_END; i < type->column_count; i++)
		if (strcmp(type->columns[i].name, binding->name.text) == 0) {
			add_error(checker->errors, binding->name.place, "parameter '%s' is given twice",
			          binding->name.text);
			return false;
		}
	return true;
}

static bool check_parameter(struct checker *checker, struct event_type *type, const struct binding *binding)
{
	struct name_scope scope = {.checker = checker, .type = type, .prototype = type->prototype};
	struct expr *value;
	bool is_out;

	scope.visible_columns = type->prototype ? 0 : type->column_count;
	value = check_expression(&scope, binding->value);
	if (!value || !is_new_column(checker, type, binding))
		return false;
	is_out = uses_result(value);
	if (is_out && binding->kind == BINDING_IN) {
		add_error(
			checker->errors, binding->kind_word.place,
			"'%s' needs what the function returned, which is known only behind the call: say 'out'",
			binding->name.text);
		return false;
	}
	column_add(checker, type,
	           (struct column){.name = binding->name.text,
	                           .type = value->type,
	                           .event = value->event,
	                           .value = value,
	                           .is_out = is_out || binding->kind == BINDING_OUT,
	                           .origin = origin_of(binding->name.place)});
	return true;
}

bool check_event(struct checker *checker, const struct declaration *declaration, struct event_type *type)
{
	bool is_fine = true;

	type->form = FORM_CALL;
	type->functions = declaration->prototype.text ? check_prototype(checker, declaration, type)
	                                              : check_functions(checker, declaration->functions);
	if (!type->functions || !count_parameters(checker, declaration))
		return false;
	add_call_columns(checker, type);
	for (const struct binding *b = declaration->parameters; b; b = b->next)
		is_fine &= check_parameter(checker, type, b);
	return is_fine;
}
