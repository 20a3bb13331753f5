#include "analysis/engine/group.h"
#include "analysis/engine/stateful.h"

static const enum operator mirrored[] = {
	[OP_EQUAL] = OP_EQUAL,  [OP_UNEQUAL] = OP_UNEQUAL,
	[OP_LESS] = OP_GREATER, [OP_LESS_EQUAL] = OP_GREATER_EQUAL,
	[OP_GREATER] = OP_LESS, [OP_GREATER_EQUAL] = OP_LESS_EQUAL,
	[OP_OR] = OP_NONE,
};

static enum status refuse(const struct expr *expr)
{
	return fail(
		"%s:%u:%u: `mine` can be used in one comparison of an aggregate only, as in `c.rank < mine.rank`",
		expr->origin.file, expr->origin.line, expr->origin.column);
}

static enum status compare_with_mine(const struct expr *expr, const struct scope *scope,
                                     struct folding *folding)
{
	bool is_binary = expr->kind == EXPR_BINARY && mirrored[expr->op] != OP_NONE;
	bool is_left = is_binary && expr_has(expr->args[0], EXPR_MINE);

	if (!is_binary || folding->op != OP_NONE ||
	    (is_left && (expr_has(expr->args[1], EXPR_MINE) || expr_has(expr->args[0], EXPR_MEMBER))) ||
	    (!is_left && expr_has(expr->args[1], EXPR_MEMBER)))
		return refuse(expr);
	folding->op = is_left ? mirrored[expr->op] : expr->op;
	folding->mine = compile(expr->args[is_left ? 0 : 1], scope);
	folding->theirs = compile(expr->args[is_left ? 1 : 0], scope);
	if (!folding->mine || !folding->theirs)
		return FAILED;
	if (folding->mine->is_real != folding->theirs->is_real) {
		folding->mine = node_as(scope->share->graph, folding->mine, true);
		folding->theirs = node_as(scope->share->graph, folding->theirs, true);
	}
	folding->mine = node_broadcast(folding->mine, scope->table->source->space);
	folding->theirs = node_broadcast(folding->theirs, scope->table->source->space);
	return OK;
}

static enum status compile_filter(const struct expr *expr, const struct scope *scope, struct folding *folding,
                                  struct conditions *conditions)
{
	if (!expr)
		return OK;
	if (expr->kind == EXPR_BINARY && expr->op == OP_AND) {
		TRY(compile_filter(expr->args[0], scope, folding, conditions));
		return compile_filter(expr->args[1], scope, folding, conditions);
	}
	if (expr_has(expr, EXPR_MINE))
		return compare_with_mine(expr, scope, folding);
	return compile_conditions(expr, scope, conditions);
}

static const struct expr *argument(const struct expr *expr, uint32_t number)
{
	return number < expr->arg_count ? expr->args[number] : NULL;
}

/* Names inside an aggregate are those of the members. */
static struct scope inner_scope(const struct scope *scope)
{
	const struct view *member = scope->table->inner[0];

	return (struct scope){.share = scope->share,
	                      .table = scope->table,
	                      .members = (const struct view *const *)scope->table->inner,
	                      .each = member,
	                      .mine = member};
}

static struct node *folded(const struct expr *expr, const struct scope *scope)
{
	struct scope inner = inner_scope(scope);
	struct folding folding = {.aggregate = expr->aggregate};
	struct conditions conditions = {0};

	if (aggregate_has_value(expr->aggregate)) {
		folding.value = compile(expr->args[0], &inner);
		if (!folding.value)
			return NULL;
		folding.value = node_broadcast(folding.value, scope->table->source->space);
	}
	if (compile_filter(argument(expr, 1), &inner, &folding, &conditions) != OK)
		return NULL;
	conditions_push_down(scope->table->source, &conditions, false);
	folding.filter = find_filtering(scope->table, &conditions);
	return folding_result(scope->table, &folding);
}

/* What a picked member gives. */
static const struct expr *picked(const struct expr *expr)
{
	switch (expr->aggregate) {
	case AGGREGATE_FIRST:
	case AGGREGATE_LAST:
		return expr->args[0];
	case AGGREGATE_ARGMIN:
	case AGGREGATE_ARGMAX:
		return expr->args[2];
	default:
		return NULL;
	}
}

struct node *compile_aggregate(const struct expr *expr, const struct scope *scope)
{
	struct scope inner = inner_scope(scope);
	struct node *index, *value;

	if (scope->table->kind == TABLE_STATEFUL)
		return stateful_aggregate(expr, &inner, picked(expr));
	index = folded(expr, scope);
	if (!index || !picked(expr))
		return index;
	value = compile(picked(expr), &inner);
	if (!value)
		return NULL;
	return group_gather(index, value, &scope->table->member_rows, absent_word(value->is_real));
}

const struct view *compile_event_aggregate(const struct expr *expr, const struct scope *scope)
{
	struct scope inner = inner_scope(scope);
	struct node *index;
	const struct view *view;

	if (scope->table->kind == TABLE_STATEFUL)
		return stateful_event_aggregate(expr, &inner, picked(expr));
	index = folded(expr, scope);
	view = index ? compile_event(picked(expr), &inner) : NULL;
	return view ? view_gathered(view, index, &scope->table->member_rows) : NULL;
}
