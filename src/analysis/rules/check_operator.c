/* Operators, and the units of their operands and results. */
#include "analysis/rules/checker.h"

#include <string.h>

/* The operands of a binary operator, both checked. */
struct operand_pair {
	struct name_scope *scope;
	const struct syntax *syntax;
	struct expr *left, *right;
};

static const char *left_of(const struct operand_pair *pair)
{
	return describe(pair->scope->checker, pair->left);
}

static const char *right_of(const struct operand_pair *pair)
{
	return describe(pair->scope->checker, pair->right);
}

static bool error_pair(const struct operand_pair *pair, const char *sentence)
{
	struct diagnostics *errors = pair->scope->checker->errors;
	const struct syntax *left = pair->syntax->args;

	add_error(pair->scope->checker->errors, pair->syntax->mark, "%s", sentence);
	add_error_note(errors, left->place, "this is %s", left_of(pair));
	add_error_note(errors, left->next->place, "this is %s", right_of(pair));
	return false;
}

#define WRONG_PAIR(pair, ...) \
	error_pair(pair, arena_format(&(pair)->scope->checker->errors->arena, __VA_ARGS__))

static bool either_is_real(const struct operand_pair *pair)
{
	return pair->left->type.is_real || pair->right->type.is_real;
}

static bool both_are_numbers(const struct operand_pair *pair)
{
	return type_is_number(pair->left->type) && type_is_number(pair->right->type);
}

static bool is_whole(struct type type)
{
	return type_is_plain(type) && !type.is_real;
}

static bool type_sum(const struct operand_pair *pair, struct type *type)
{
	struct type left = pair->left->type, right = pair->right->type;

	*type = type_rank;
	if ((left.base == TYPE_RANK && is_whole(right)) || (right.base == TYPE_RANK && is_whole(left)))
		return true;
	if (both_are_numbers(pair) && left.is_instant && right.is_instant)
		return WRONG_PAIR(pair, "cannot add an instant to an instant: only times can be added to it");
	if (!both_are_numbers(pair) || left.seconds != right.seconds || left.bytes != right.bytes)
		return WRONG_PAIR(pair, "cannot add %s to %s", right_of(pair), left_of(pair));
	*type = left.is_instant ? left : right;
	type->is_real = either_is_real(pair);
	return true;
}

static bool type_difference(const struct operand_pair *pair, struct type *type)
{
	struct type left = pair->left->type, right = pair->right->type;

	*type = right.base == TYPE_RANK ? type_count : type_rank;
	if (left.base == TYPE_RANK && (right.base == TYPE_RANK || is_whole(right)))
		return true;
	if (!both_are_numbers(pair) || left.seconds != right.seconds || left.bytes != right.bytes)
		return WRONG_PAIR(pair, "cannot subtract %s from %s", right_of(pair), left_of(pair));
	if (right.is_instant && !left.is_instant)
		return WRONG_PAIR(pair, "cannot subtract an instant from a time: the instant comes first");
	*type = left;
	type->is_instant = left.is_instant && !right.is_instant;
	type->is_real = either_is_real(pair);
	return true;
}

enum { POWER_MAX = 8 };
/* Or of a quotient. */
static bool type_product(const struct operand_pair *pair, struct type *type)
{
	bool is_product = pair->syntax->op == OP_MULTIPLY;
	struct type left = pair->left->type, right = pair->right->type;
	int seconds = left.seconds + (is_product ? right.seconds : -right.seconds);
	int bytes = left.bytes + (is_product ? right.bytes : -right.bytes);

	if (!both_are_numbers(pair))
		return WRONG_PAIR(pair, "cannot %s %s by %s", is_product ? "multiply" : "divide",
		                  left_of(pair), right_of(pair));
	if (left.is_instant || right.is_instant)
		return WRONG_PAIR(pair, "cannot %s an instant: take the time between two of them",
		                  is_product ? "multiply" : "divide");
	if (seconds < -POWER_MAX || seconds > POWER_MAX || bytes < -POWER_MAX || bytes > POWER_MAX)
		return WRONG_PAIR(pair, "the power of this unit is too high");
	*type = type_count;
	type->seconds = (int8_t)seconds;
	type->bytes = (int8_t)bytes;
	type->is_real = !is_product || either_is_real(pair);
	return true;
}

static bool type_rest(const struct operand_pair *pair, struct type *type)
{
	struct type left = pair->left->type;
	bool fits = left.base == TYPE_RANK || (type_is_number(left) && !left.is_real && !left.is_instant);
	bool divides = is_whole(pair->right->type) ||
	               (left.base != TYPE_RANK && types_agree(left, pair->right->type) &&
	                !pair->right->type.is_real);

	if (!fits || !divides)
		return WRONG_PAIR(pair, "cannot take the remainder of %s divided by %s", left_of(pair),
		                  right_of(pair));
	*type = left.base == TYPE_RANK ? type_count : left;
	return true;
}

static bool type_equality(const struct operand_pair *pair, struct type *type)
{
	*type = type_bool;
	if (pair->left->type.base == TYPE_EVENT && pair->right->type.base == TYPE_EVENT)
		return WRONG_PAIR(
			pair,
			"cannot compare events themselves: compare their column 'id', or 'place' or 'process'");
	if (types_agree(pair->left->type, pair->right->type))
		return true;
	return WRONG_PAIR(pair, "cannot compare %s with %s", left_of(pair), right_of(pair));
}

static bool type_order(const struct operand_pair *pair, struct type *type)
{
	if (!type_equality(pair, type))
		return false;
	if (type_is_ordered(pair->left->type))
		return true;
	return WRONG_PAIR(pair, "%s has no order: it can only be equal or not", left_of(pair));
}

static bool type_logic(const struct operand_pair *pair, struct type *type)
{
	bool is_left = pair->left->type.base != TYPE_BOOL;
	const struct syntax *left = pair->syntax->args;

	*type = type_bool;
	if (!is_left && pair->right->type.base == TYPE_BOOL)
		return true;
	return add_error(pair->scope->checker->errors, is_left ? left->place : left->next->place,
	                 "'%s' joins conditions, but this is %s", pair->syntax->op == OP_AND ? "and" : "or",
	                 is_left ? left_of(pair) : right_of(pair));
}

/* Values known only at the end */

static bool error_late(struct name_scope *scope, struct source_range place)
{
	return add_error(
		scope->checker->errors, place,
		"an estimate is known only at the end of the analysis: it can only be shown in advice, with times added to it or subtracted from it");
}

static bool is_time(struct type type)
{
	return type_is_number(type) && type.seconds == 1 && !type.bytes && !type.is_instant;
}

/* In advice: a time plus one estimate. */
static bool type_late(const struct operand_pair *pair, struct type *type)
{
	bool is_sum = pair->syntax->op == OP_ADD || pair->syntax->op == OP_SUBTRACT;

	if (!pair->scope->problem || !is_sum || !is_time(pair->left->type) || !is_time(pair->right->type) ||
	    pair->left->type.is_late == pair->right->type.is_late)
		return error_late(pair->scope, pair->syntax->mark);
	*type = type_time;
	type->is_late = true;
	return true;
}

static bool (*const pair_types[])(const struct operand_pair *, struct type *) = {
	[OP_ADD] = type_sum,          [OP_SUBTRACT] = type_difference, [OP_MULTIPLY] = type_product,
	[OP_DIVIDE] = type_product,   [OP_MODULO] = type_rest,         [OP_EQUAL] = type_equality,
	[OP_UNEQUAL] = type_equality, [OP_LESS] = type_order,          [OP_LESS_EQUAL] = type_order,
	[OP_GREATER] = type_order,    [OP_GREATER_EQUAL] = type_order, [OP_AND] = type_logic,
	[OP_OR] = type_logic,
};

void adapt_literals(struct expr *a, struct expr *b)
{
	if (a->type.base == TYPE_RANK && b->kind == EXPR_LITERAL && is_whole(b->type))
		b->type = type_rank;
	if (b->type.base == TYPE_RANK && a->kind == EXPR_LITERAL && is_whole(a->type))
		a->type = type_rank;
}

static struct expr *check_binary(struct name_scope *scope, const struct syntax *syntax)
{
	struct operand_pair pair = {scope, syntax, check_expression(scope, syntax->args),
	                            check_expression(scope, syntax->args->next)};
	struct type type = {0};
	struct expr *expr;
	bool is_late;

	if (!pair.left || !pair.right)
		return NULL;
	if (syntax->op >= OP_EQUAL && syntax->op <= OP_GREATER_EQUAL)
		adapt_literals(pair.left, pair.right);
	is_late = pair.left->type.is_late || pair.right->type.is_late;
	if (!(is_late ? type_late : pair_types[syntax->op])(&pair, &type))
		return NULL;
	expr = expr_of(scope->checker, EXPR_BINARY, type, syntax->mark, pair.left, pair.right);
	expr->op = syntax->op;
	return expr;
}

static struct expr *check_unary(struct name_scope *scope, const struct syntax *syntax)
{
	struct expr *operand = check_expression(scope, syntax->args);
	struct expr *expr;

	if (!operand)
		return NULL;
	if (syntax->op == OP_NOT && operand->type.base != TYPE_BOOL)
		return add_error(scope->checker->errors, syntax->args->place,
		                 "'not' needs a condition, but this is %s",
		                 describe(scope->checker, operand));
	if (operand->type.is_late && !error_late(scope, syntax->mark))
		return NULL;
	if (syntax->op == OP_MINUS && (!type_is_number(operand->type) || operand->type.is_instant))
		return add_error(scope->checker->errors, syntax->mark, "cannot negate %s",
		                 describe(scope->checker, operand));
	if (operand->kind == EXPR_LITERAL && syntax->op == OP_MINUS) {
		operand->number = -operand->number;
		operand->real = -operand->real;
		return operand;
	}
	expr = expr_of(scope->checker, EXPR_UNARY, operand->type, syntax->place, operand, NULL);
	expr->op = syntax->op;
	return expr;
}

struct expr *check_operator(struct name_scope *scope, const struct syntax *syntax)
{
	return syntax->kind == SYNTAX_UNARY ? check_unary(scope, syntax) : check_binary(scope, syntax);
}

static const struct syntax *nth(const struct syntax *first, uint32_t number)
{
	while (number--)
		first = first->next;
	return first;
}

/* True if all of args[from…] have the type of args[from]. */
static bool agree(struct name_scope *scope, const struct syntax *syntax, struct expr **args, uint32_t from,
                  uint32_t count)
{
	for (uint32_t i = from + 1; i < count; i++)
		adapt_literals(args[from], args[i]);
	for (uint32_t i = from + 1; i < count; i++) {
		if (types_agree(args[from]->type, args[i]->type) && args[from]->event == args[i]->event)
			continue;
		add_error(scope->checker->errors, nth(syntax->args, i)->place,
		          "this is %s, but the value before it is %s", describe(scope->checker, args[i]),
		          describe(scope->checker, args[from]));
		add_error_note(scope->checker->errors, nth(syntax->args, from)->place, "this is %s",
		               describe(scope->checker, args[from]));
		return false;
	}
	return true;
}

static struct expr *with_args(struct name_scope *scope, const struct syntax *syntax, enum expr_kind kind,
                              struct expr **args, uint32_t from, uint32_t count)
{
	struct expr *expr = expr_new(scope->checker, kind, args[from]->type, syntax->place);

	for (uint32_t i = from; i < count; i++)
		expr->type.is_real |= args[i]->type.is_real;
	expr->event = args[from]->event;
	expr->args = args;
	expr->arg_count = count;
	return expr;
}

struct expr *check_choice(struct name_scope *scope, const struct syntax *syntax)
{
	uint32_t count;
	struct expr **args = check_arguments(scope, syntax->args, &count);

	if (!args)
		return NULL;
	if (args[0]->type.base != TYPE_BOOL)
		return add_error(scope->checker->errors, syntax->args->place,
		                 "'if' needs a condition, but this is %s", describe(scope->checker, args[0]));
	for (uint32_t i = 1; i < count; i++)
		if (args[i]->type.is_late && args[i]->kind == EXPR_BINARY && !error_late(scope, syntax->mark))
			return NULL;
	return agree(scope, syntax, args, 1, count) ? with_args(scope, syntax, EXPR_CHOICE, args, 1, count)
	                                            : NULL;
}

struct expr *check_among(struct name_scope *scope, const struct syntax *syntax)
{
	uint32_t count;
	struct expr **args = check_arguments(scope, syntax->args, &count);
	struct expr *expr;

	if (!args || !agree(scope, syntax, args, 0, count) ||
	    (args[0]->type.is_late && !error_late(scope, syntax->mark)))
		return NULL;
	expr = with_args(scope, syntax, EXPR_AMONG, args, 0, count);
	expr->type = type_bool;
	expr->event = NULL;
	return expr;
}

/* min and max of several expressions. */
static struct expr *check_extreme(struct name_scope *scope, const struct syntax *syntax, enum expr_kind kind)
{
	uint32_t count;
	struct expr **args = check_arguments(scope, syntax->args, &count);

	if (!args || !agree(scope, syntax, args, 0, count))
		return NULL;
	if (type_is_ordered(args[0]->type))
		return with_args(scope, syntax, kind, args, 0, count);
	return add_error(scope->checker->errors, syntax->args->place,
	                 "'%s' needs numbers, times or ranks, but this is %s", syntax->name.text,
	                 describe(scope->checker, args[0]));
}

static const char *const aggregate_names[] = {
	[AGGREGATE_MIN] = "min",           [AGGREGATE_MAX] = "max",       [AGGREGATE_SUM] = "sum",
	[AGGREGATE_COUNT] = "count",       [AGGREGATE_MEAN] = "mean",     [AGGREGATE_FIRST] = "first",
	[AGGREGATE_LAST] = "last",         [AGGREGATE_ARGMIN] = "argmin", [AGGREGATE_ARGMAX] = "argmax",
	[AGGREGATE_DISTINCT] = "distinct",
};

enum { FUNCTIONS = sizeof aggregate_names / sizeof *aggregate_names };

struct expr *check_call(struct name_scope *scope, const struct syntax *syntax)
{
	bool are_several = syntax->args && syntax->args->next;
	struct nearest nearest = {.word = syntax->name.text};

	for (size_t i = 0; i < FUNCTIONS; i++) {
		nearest_offer(&nearest, aggregate_names[i]);
		if (strcmp(aggregate_names[i], syntax->name.text) != 0)
			continue;
		if (i <= AGGREGATE_MAX && are_several && !syntax->where)
			return check_extreme(scope, syntax, i == AGGREGATE_MIN ? EXPR_LEAST : EXPR_GREATEST);
		return check_aggregate(scope, syntax, (enum aggregate)i);
	}
	if (strcmp(syntax->name.text, "survey") == 0)
		return check_survey(scope, syntax);
	return error_unknown(scope->checker, syntax->name, "function", &nearest);
}
