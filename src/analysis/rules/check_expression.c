#include "analysis/rules/checker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `name_of` lists the allowed units, up to NULL. */
static struct expr *error_unit(struct checker *checker, struct token unit, const char *(*name_of)(unsigned))
{
	struct nearest nearest = {.word = unit.text};
	const char *name;

	for (unsigned i = 0; (name = name_of(i)); i++)
		nearest_offer(&nearest, name);
	return error_unknown(checker, unit, "unit", &nearest);
}

/* Whole numbers up to here are also exact as doubles. */
static const double LARGEST_WHOLE = 9007199254740992.0;

static struct expr *check_literal(struct name_scope *scope, const struct syntax *syntax)
{
	struct type type = syntax->kind == SYNTAX_NUMBER ? type_count
	                   : syntax->kind == SYNTAX_BOOL ? type_bool
	                                                 : type_text;
	struct expr *expr = expr_new(scope->checker, EXPR_LITERAL, type, syntax->place);
	double scale = 1;

	expr->number = syntax->truth;
	expr->text = syntax->name.text;
	if (syntax->kind != SYNTAX_NUMBER)
		return add_phrase(scope->checker, &syntax->name) ? expr : NULL;
	expr->real = strtod(syntax->number, NULL);
	expr->type.is_real = strpbrk(syntax->number, ".eE") != NULL;
	if (syntax->unit.text && !unit_named(syntax->unit.text, &expr->type, &scale))
		return error_unit(scope->checker, syntax->unit, unit_name);
	expr->real = scale < 1 ? expr->real / (1 / scale) : expr->real * scale;
	if (!isfinite(expr->real) || expr->real > LARGEST_WHOLE)
		return add_error(scope->checker->errors, syntax->place, "this number is too large");
	expr->number = llround(expr->real);
	return expr;
}

static struct expr *check_cast(struct name_scope *scope, const struct syntax *syntax)
{
	struct checker *checker = scope->checker;
	struct expr *expr = check_expression(scope, syntax->args);
	struct expr *copy, *factor;
	struct type type;
	double scale;

	if (!cast_find(syntax->unit.text, &type, &scale))
		return error_unit(checker, syntax->unit, cast_name);
	if (!expr)
		return NULL;
	if (type.base == TYPE_TEXT ? expr->type.base != TYPE_TEXT : !type_is_plain(expr->type))
		return add_error(checker->errors, syntax->unit.place, "cannot take %s as %s",
		                 describe(checker, expr), syntax->unit.text);
	if (scale != 1) {
		factor = expr_new(checker, EXPR_LITERAL, type_count, syntax->place);
		factor->number = (int64_t)scale;
		factor->real = scale;
		expr = expr_of(checker, EXPR_BINARY, expr->type, syntax->place, expr, factor);
		expr->op = OP_MULTIPLY;
	}
	copy = arena_new(checker->arena, struct expr);
	*copy = *expr;
	type.is_real = expr->type.is_real;
	copy->type = type;
	return copy;
}

struct expr *check_expression(struct name_scope *scope, const struct syntax *syntax)
{
	static struct expr *(*const checks[])(struct name_scope *, const struct syntax *) = {
		[SYNTAX_NUMBER] = check_literal, [SYNTAX_STRING] = check_literal,
		[SYNTAX_BOOL] = check_literal,   [SYNTAX_NAME] = check_name,
		[SYNTAX_FIELD] = check_field,    [SYNTAX_CALL] = check_call,
		[SYNTAX_UNARY] = check_operator, [SYNTAX_BINARY] = check_operator,
		[SYNTAX_CHOICE] = check_choice,  [SYNTAX_AMONG] = check_among,
		[SYNTAX_CAST] = check_cast,      [SYNTAX_ELEMENT] = check_element,
	};

	return checks[syntax->kind](scope, syntax);
}

struct expr *check_condition(struct name_scope *scope, const struct syntax *syntax, const char *what)
{
	struct expr *expr = check_expression(scope, syntax);

	if (!expr || expr->type.base == TYPE_BOOL)
		return expr;
	return add_error(scope->checker->errors, syntax->place, "%s must be a condition, but this is %s",
	                 what, describe(scope->checker, expr));
}

struct expr **check_arguments(struct name_scope *scope, const struct syntax *first, uint32_t *count)
{
	struct expr **args;
	bool is_fine = true;
	uint32_t i = 0;

	for (const struct syntax *syntax = first; syntax; syntax = syntax->next)
		i++;
	args = arena_array(scope->checker->arena, struct expr *, i + 1);
	*count = 0;
	for (const struct syntax *syntax = first; syntax; syntax = syntax->next) {
		args[*count] = check_expression(scope, syntax);
		is_fine &= args[(*count)++] != NULL;
	}
	return is_fine ? args : NULL;
}
