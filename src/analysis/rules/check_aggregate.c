/* Aggregates over the members of a group or run, and the allowed uses of `mine` in them. */
#include "analysis/rules/checker.h"

static bool is_order(enum operator op)
{
	return op >= OP_LESS && op <= OP_GREATER_EQUAL;
}

/* X < mine.X, on either side. */
static bool compares_mine(const struct expr *expr)
{
	const struct expr *left, *right;

	if (expr->kind != EXPR_BINARY ||
	    !(is_order(expr->op) || expr->op == OP_EQUAL || expr->op == OP_UNEQUAL))
		return false;
	left = expr->args[0];
	right = expr->args[1];
	return expr_uses(left, EXPR_MINE) != expr_uses(right, EXPR_MINE) &&
	       !(expr_uses(left, EXPR_MINE) && expr_uses(left, EXPR_MEMBER)) &&
	       !(expr_uses(right, EXPR_MINE) && expr_uses(right, EXPR_MEMBER)) && expr_is_same(left, right);
}

/* The engine supports this by sorting: a filter, and one comparison of the same value of both. */
static bool mine_fits(struct name_scope *scope, const struct syntax *syntax, const struct expr *where,
                      int *orders)
{
	if (where->kind == EXPR_BINARY && where->op == OP_AND)
		return mine_fits(scope, syntax, where->args[0], orders) &&
		       mine_fits(scope, syntax, where->args[1], orders);
	if (!expr_uses(where, EXPR_MINE))
		return true;
	if (compares_mine(where)) {
		*orders += is_order(where->op);
		if (*orders <= 1)
			return true;
		return add_error(
			scope->checker->errors, syntax->place,
			"'mine' can be in one comparison by order only: members are sorted by it once");
	}
	return add_error(
		scope->checker->errors, syntax->place,
		"'mine' must be compared with the same value of the members, as in '%s.rank < mine.rank', joined by 'and'",
		scope->type->members[0].name);
}

/* The requirement of the aggregate that the type violates; NULL: none. */
static const char *needed(enum aggregate aggregate, struct type type)
{
	if (aggregate == AGGREGATE_SUM || aggregate == AGGREGATE_MEAN)
		return type_is_number(type) && !type.is_instant && !type.is_late ? NULL
		                                                                 : "numbers, times or bytes";
	if (aggregate == AGGREGATE_MIN || aggregate == AGGREGATE_MAX || aggregate == AGGREGATE_ARGMIN ||
	    aggregate == AGGREGATE_ARGMAX)
		return type_is_ordered(type) ? NULL : "numbers, times or ranks";
	return aggregate == AGGREGATE_DISTINCT && type.base == TYPE_EVENT ? "values" : NULL;
}

static struct expr *with_type(struct expr *expr)
{
	const struct expr *given = expr->args[2] ? expr->args[2] : expr->args[0];

	if (expr->aggregate == AGGREGATE_COUNT || expr->aggregate == AGGREGATE_DISTINCT)
		expr->type = type_count;
	if (expr->aggregate == AGGREGATE_MEAN)
		expr->type.is_real = true;
	if (expr->args[2])
		expr->type = given->type;
	expr->event = expr->type.base == TYPE_EVENT ? given->event : NULL;
	return expr;
}

struct expr *check_aggregate(struct name_scope *scope, const struct syntax *syntax, enum aggregate aggregate)
{
	struct diagnostics *errors = scope->checker->errors;
	uint32_t wanted = aggregate == AGGREGATE_ARGMIN || aggregate == AGGREGATE_ARGMAX ? 2 : 1;
	const char *name = syntax->name.text, *need;
	struct name_scope inside = *scope;
	struct expr *where = NULL, *expr, **args;
	int orders = 0;
	uint32_t count = 0;

	for (const struct syntax *arg = syntax->args; arg; arg = arg->next)
		count++;
	if (scope->in_aggregate)
		return add_error(
			errors, syntax->mark,
			"'%s' is an aggregate inside another aggregate: make it a parameter of its own",
			name);
	if (!scope->is_many && !scope->is_each)
		return add_error(
			errors, syntax->mark,
			"'%s' of one value is an aggregate over the members of a group: it needs 'group by' or 'run by', or "
			"several values to choose from",
			name);
	if (count != wanted)
		return add_error(errors, syntax->mark,
		                 wanted == 1
		                         ? "'%s' needs one value"
		                         : "'%s' needs two values: the one to compare, and the one to return",
		                 name);
	inside.in_aggregate = true;
	if (syntax->where) {
		inside.in_aggregate_where = true;
		where = check_condition(&inside, syntax->where, "the expression after 'where'");
		inside.in_aggregate_where = false;
		if (!where || !mine_fits(&inside, syntax->where, where, &orders))
			return NULL;
	}
	args = check_arguments(&inside, syntax->args, &count);
	if (!args)
		return NULL;
	need = needed(aggregate, args[0]->type);
	if (need)
		return add_error(errors, syntax->args->place, "'%s' needs %s, but this is %s", name, need,
		                 describe(scope->checker, args[0]));
	if (!expr_uses(args[0], EXPR_MEMBER))
		return add_error(
			errors, syntax->args->place,
			"'%s' is an aggregate over the members, but its value uses none: write '%s.…'", name,
			scope->type->members[0].name);
	expr = expr_aggregate(scope->checker, aggregate, args[0], where, count > 1 ? args[1] : NULL);
	expr->origin = origin_of(syntax->place);
	return with_type(expr);
}
