#include "analysis/wrappers/formula.h"

#include <inttypes.h>

static enum status refuse(const struct expr *expr, const char *reason)
{
	return fail("%s:%u:%u: %s: a traced function's parameters are made of its arguments and its result",
	            expr->origin.file, expr->origin.line, expr->origin.column, reason);
}

static enum status write_literal(const struct expr *expr, struct text *out)
{
	if (expr->type.base == TYPE_TEXT)
		return refuse(expr, "a text cannot be computed with");
	if (expr->type.is_real)
		text_add(out, "((double)%.17g)", expr->real);
	else
		text_add(out, "INT64_C(%" PRId64 ")", expr->number);
	return OK;
}

static enum status write_argument(const struct expr *expr, struct text *out)
{
	if (expr->type.base == TYPE_TEXT)
		return refuse(expr, "a text can be recorded as it is, but not computed with");
	text_add(out, "(%s)(", expr->type.is_real ? "double" : "int64_t");
	if (expr->member == ARGUMENT_RESULT)
		text_add(out, "result)");
	else
		text_add(out, "a%u)", expr->member);
	return OK;
}

static enum status write_call(const char *function, bool is_real, const struct expr *a, const struct expr *b,
                              struct text *out)
{
	text_add(out, "tarry_%s%s(", is_real ? "real_" : "", function);
	TRY(formula_write(a, out));
	text_add(out, ", ");
	TRY(formula_write(b, out));
	text_add(out, ")");
	return OK;
}

static enum status write_division(const struct expr *expr, struct text *out)
{
	text_add(out, "((double)");
	TRY(formula_write(expr->args[0], out));
	text_add(out, " / (double)");
	TRY(formula_write(expr->args[1], out));
	text_add(out, ")");
	return OK;
}

static const char *const signs[] = {
	[OP_ADD] = "+",         [OP_SUBTRACT] = "-", [OP_MULTIPLY] = "*",
	[OP_EQUAL] = "==",      [OP_UNEQUAL] = "!=", [OP_LESS] = "<",
	[OP_LESS_EQUAL] = "<=", [OP_GREATER] = ">",  [OP_GREATER_EQUAL] = ">=",
	[OP_AND] = "&&",        [OP_OR] = "||",
};

static enum status write_binary(const struct expr *expr, struct text *out)
{
	if (expr->op == OP_DIVIDE && expr->type.is_real)
		return write_division(expr, out);
	if (expr->op == OP_DIVIDE || expr->op == OP_MODULO)
		return write_call(expr->op == OP_DIVIDE ? "divide" : "modulo", expr->type.is_real,
		                  expr->args[0], expr->args[1], out);
	text_add(out, "(");
	TRY(formula_write(expr->args[0], out));
	text_add(out, " %s ", signs[expr->op]);
	TRY(formula_write(expr->args[1], out));
	text_add(out, ")");
	return OK;
}

static enum status write_unary(const struct expr *expr, struct text *out)
{
	text_add(out, expr->op == OP_NOT ? "(!" : "(-");
	TRY(formula_write(expr->args[0], out));
	text_add(out, ")");
	return OK;
}

static enum status write_choice(const struct expr *expr, struct text *out)
{
	text_add(out, "(");
	TRY(formula_write(expr->args[0], out));
	text_add(out, " ? ");
	TRY(formula_write(expr->args[1], out));
	text_add(out, " : ");
	TRY(formula_write(expr->args[2], out));
	text_add(out, ")");
	return OK;
}

/* min(a, b, c) is least(a, least(b, c)). */
static enum status write_extreme(const struct expr *expr, const char *function, struct text *out)
{
	for (uint32_t i = 0; i < expr->arg_count; i++) {
		if (i + 1 < expr->arg_count)
			text_add(out, "tarry_%s%s(", expr->type.is_real ? "real_" : "", function);
		TRY(formula_write(expr->args[i], out));
		if (i + 1 < expr->arg_count)
			text_add(out, ", ");
	}
	text_add_repeated(out, ')', expr->arg_count - 1);
	return OK;
}

static enum status write_among(const struct expr *expr, struct text *out)
{
	for (uint32_t i = 1; i < expr->arg_count; i++) {
		text_add(out, i == 1 ? "(" : " || ");
		TRY(formula_write(expr->args[0], out));
		text_add(out, " == ");
		TRY(formula_write(expr->args[i], out));
	}
	text_add(out, ")");
	return OK;
}

enum status formula_write(const struct expr *expr, struct text *out)
{
	switch (expr->kind) {
	case EXPR_LITERAL:
		return write_literal(expr, out);
	case EXPR_ARGUMENT:
		return write_argument(expr, out);
	case EXPR_SETTING:
		return formula_write(expr->setting->value, out);
	case EXPR_UNARY:
		return write_unary(expr, out);
	case EXPR_BINARY:
		return write_binary(expr, out);
	case EXPR_CHOICE:
		return write_choice(expr, out);
	case EXPR_LEAST:
		return write_extreme(expr, "least", out);
	case EXPR_GREATEST:
		return write_extreme(expr, "greatest", out);
	case EXPR_AMONG:
		return write_among(expr, out);
	default:
		return refuse(expr, "this is not known while the program runs");
	}
}
