#include "analysis/engine/compile.h"

#include "analysis/engine/analysis.h"
#include "base/sort.h"

#include <string.h>

static struct node *refuse(const struct expr *expr, const char *why)
{
	enum status status = fail("%s:%u:%u: %s", expr->origin.file ? expr->origin.file : "rule",
	                          expr->origin.line, expr->origin.column, why);

	(void)status;
	return NULL;
}

/* Constants */

static struct node *literal(const struct expr *expr, const struct scope *scope)
{
	struct engine *engine = scope->partition->engine;
	struct graph *graph = scope->partition->graph;

	if (expr->type.base == TYPE_TEXT)
		return node_whole(graph, engine->text_number(engine->context, expr->text));
	if (expr->type.base == TYPE_FUNCTION && expr->text && expr->number < 0)
		return node_whole(graph, engine->function_number(engine->context, expr->text));
	if (expr->type.is_real)
		return node_constant(graph, (union word){.r = expr->real}, true);
	return node_whole(graph, expr->number);
}

/* Operators */

struct operator_vectors {
	enum vector whole, real;
	bool is_swapped;
};

static const struct operator_vectors operations[] = {
	[OP_ADD] = {VECTOR_ADD, VECTOR_REAL_ADD},
	[OP_SUBTRACT] = {VECTOR_SUBTRACT, VECTOR_REAL_SUBTRACT},
	[OP_MULTIPLY] = {VECTOR_MULTIPLY, VECTOR_REAL_MULTIPLY},
	[OP_DIVIDE] = {VECTOR_REAL_DIVIDE, VECTOR_REAL_DIVIDE},
	[OP_MODULO] = {VECTOR_MODULO, VECTOR_REAL_MODULO},
	[OP_EQUAL] = {VECTOR_EQUAL, VECTOR_REAL_EQUAL},
	[OP_UNEQUAL] = {VECTOR_UNEQUAL, VECTOR_REAL_UNEQUAL},
	[OP_LESS] = {VECTOR_LESS, VECTOR_REAL_LESS},
	[OP_LESS_EQUAL] = {VECTOR_LESS_EQUAL, VECTOR_REAL_LESS_EQUAL},
	[OP_GREATER] = {VECTOR_LESS, VECTOR_REAL_LESS, true},
	[OP_GREATER_EQUAL] = {VECTOR_LESS_EQUAL, VECTOR_REAL_LESS_EQUAL, true},
	[OP_AND] = {VECTOR_AND, VECTOR_AND},
	[OP_OR] = {VECTOR_OR, VECTOR_OR},
};

static struct node *operated(struct graph *graph, enum operator op, struct node *a, struct node *b)
{
	const struct operator_vectors *operation = &operations[op];
	enum vector vector = a->is_real || b->is_real ? operation->real : operation->whole;

	return node_vector(graph, vector,
	                   operation->is_swapped ? (struct node *[]){b, a} : (struct node *[]){a, b});
}

static struct node *unary(const struct expr *expr, const struct scope *scope)
{
	struct node *arg = compile(expr->args[0], scope);

	if (!arg)
		return NULL;
	if (expr->op == OP_NOT)
		return node_vector(scope->partition->graph, VECTOR_NOT, &arg);
	return node_vector(scope->partition->graph, arg->is_real ? VECTOR_REAL_MINUS : VECTOR_MINUS, &arg);
}

static struct node *binary(const struct expr *expr, const struct scope *scope)
{
	struct node *a = compile(expr->args[0], scope);
	struct node *b = a ? compile(expr->args[1], scope) : NULL;

	return b ? operated(scope->partition->graph, expr->op, a, b) : NULL;
}

static struct node *choice(const struct expr *expr, const struct scope *scope)
{
	struct node *args[3];

	for (uint32_t i = 0; i < 3; i++) {
		args[i] = compile(expr->args[i], scope);
		if (!args[i])
			return NULL;
	}
	return node_vector(scope->partition->graph,
	                   args[1]->is_real || args[2]->is_real ? VECTOR_REAL_CHOOSE : VECTOR_CHOOSE, args);
}

static struct node *extreme(const struct expr *expr, const struct scope *scope)
{
	static const enum vector least[] = {VECTOR_LEAST, VECTOR_REAL_LEAST};
	static const enum vector greatest[] = {VECTOR_GREATEST, VECTOR_REAL_GREATEST};
	const enum vector *vectors = expr->kind == EXPR_LEAST ? least : greatest;
	struct node *result = NULL;

	for (uint32_t i = 0; i < expr->arg_count; i++) {
		struct node *arg = compile(expr->args[i], scope);
		if (!arg)
			return NULL;
		result = result ? node_vector(scope->partition->graph,
		                              vectors[result->is_real || arg->is_real],
		                              (struct node *[]){result, arg})
		                : arg;
	}
	return result;
}

/* Sets */

const struct word_set *engine_set(struct engine *engine, int64_t *words, uint32_t count)
{
	size_t bytes = count * sizeof *words;
	struct word_set *set;

	sort_i64(words, count);
	for (uint32_t i = 0; i < engine->set_count; i++)
		if (engine->sets[i]->count == count && memcmp(engine->sets[i]->words, words, bytes) == 0)
			return engine->sets[i];
	set = arena_alloc(&engine->arena, 1, sizeof *set + bytes);
	set->count = count;
	memcpy(set->words, words, bytes);
	arena_add(&engine->arena, engine->sets, engine->set_count, set);
	return set;
}

static struct node *among(const struct expr *expr, const struct scope *scope)
{
	struct arena *arena = scope->partition->arena;
	struct graph *graph = scope->partition->graph;
	struct node *value = compile(expr->args[0], scope), *result;
	struct node **others = arena_array(arena, struct node *, expr->arg_count);
	int64_t *words = arena_array(arena, int64_t, expr->arg_count);
	bool is_set = value && !is_constant(value) && !value->is_real;

	for (uint32_t i = 1; i < expr->arg_count && value; i++) {
		others[i] = compile(expr->args[i], scope);
		if (!others[i])
			return NULL;
		is_set = is_set && is_constant(others[i]) && !others[i]->is_real;
		words[i - 1] = others[i]->value.i;
	}
	if (!value)
		return NULL;
	if (is_set) {
		result = node_in_set(value, engine_set(scope->partition->engine, words, expr->arg_count - 1));
	} else {
		result = node_whole(graph, 0);
		for (uint32_t i = 1; i < expr->arg_count; i++)
			result = operated(graph, OP_OR, result, operated(graph, OP_EQUAL, value, others[i]));
	}
	return answered_once(scope->partition, result);
}

/* Events */

const struct view *compile_event(const struct expr *expr, const struct scope *scope)
{
	const struct view *view = NULL;
	const struct view *one, *other;
	struct node *condition;

	switch (expr->kind) {
	case EXPR_MEMBER:
		return scope->members[expr->member];
	case EXPR_EACH:
		return scope->each;
	case EXPR_MINE:
		return scope->mine;
	case EXPR_PREVIOUS:
		return scope->previous;
	case EXPR_SELF:
		return scope->self;
	case EXPR_COLUMN:
		view = compile_event(expr->args[0], scope);
		return view ? view_event(view, expr->column) : NULL;
	case EXPR_CHOICE:
		condition = compile(expr->args[0], scope);
		one = condition ? compile_event(expr->args[1], scope) : NULL;
		other = one ? compile_event(expr->args[2], scope) : NULL;
		if (!other)
			return NULL;
		if (one->type != other->type) {
			one = view_call(one);
			other = view_call(other);
		}
		return view_choice(condition, one, other);
	case EXPR_AGGREGATE:
		return compile_event_aggregate(expr, scope);
	default:
		refuse(expr, "this is not an event");
		return NULL;
	}
}

static struct node *(*const compilers[EXPR_AGGREGATE + 1])(const struct expr *, const struct scope *) = {
	[EXPR_LITERAL] = literal, [EXPR_UNARY] = unary,
	[EXPR_BINARY] = binary,   [EXPR_CHOICE] = choice,
	[EXPR_LEAST] = extreme,   [EXPR_GREATEST] = extreme,
	[EXPR_AMONG] = among,     [EXPR_AGGREGATE] = compile_aggregate,
};

struct node *compile(const struct expr *expr, const struct scope *scope)
{
	struct graph *graph = scope->partition->graph;
	const struct engine *engine = scope->partition->engine;
	const struct view *view;
	struct node *node = NULL;

	if (expr->type.base == TYPE_EVENT) {
		view = compile_event(expr, scope);
		node = view ? view_identity(view) : NULL;
	} else if (compilers[expr->kind]) {
		node = compilers[expr->kind](expr, scope);
	} else if (expr->kind == EXPR_SETTING) {
		return compile(expr->setting->value, scope);
	} else if (expr->kind == EXPR_RUN) {
		return node_whole(graph, (int64_t)engine->run_figures[expr->run]);
	} else if (expr->kind == EXPR_SURVEY) {
		return engine->surveys && engine->surveys[expr->number].is_known
		               ? node_whole(graph, engine->surveys[expr->number].value)
		               : compile(expr->args[0], scope);
	} else if (expr->kind == EXPR_COLUMN) {
		view = compile_event(expr->args[0], scope);
		node = view ? view_column(view, expr->column) : NULL;
	} else if (expr->kind == EXPR_ARGUMENT) {
		/* An argument of an MPI function, if it was recorded. A missing argument counts as false. */
		node = view_param(scope->self, expr->text, false);
		if (expr->type.base == TYPE_BOOL)
			node = operated(graph, OP_EQUAL, node, node_whole(graph, 1));
	} else {
		return refuse(expr, "this has no value here");
	}
	return node && node->kind == NODE_VECTOR ? answered_once(scope->partition, node) : node;
}

/* Conditions */

enum status compile_conditions(const struct expr *expr, const struct scope *scope,
                               struct conditions *conditions)
{
	struct node *node;

	if (!expr)
		return OK;
	if (expr->kind == EXPR_BINARY && expr->op == OP_AND) {
		TRY(compile_conditions(expr->args[0], scope, conditions));
		return compile_conditions(expr->args[1], scope, conditions);
	}
	node = compile(expr, scope);
	if (!node)
		return FAILED;
	if (!is_constant(node) || !node->value.i)
		arena_add(scope->partition->arena, conditions->nodes, conditions->count, node);
	return OK;
}

bool conditions_hold(const struct conditions *conditions, struct space *space)
{
	for (uint32_t i = 0; i < conditions->count; i++) {
		struct node *node = conditions->nodes[i];
		if (!(is_constant(node) ? node->value.i : node_values(node, &space->all)->i))
			return false;
	}
	return true;
}

void conditions_apply(const struct conditions *conditions, struct row_selection *selection)
{
	for (uint32_t i = 0; i < conditions->filter_count && selection->count; i++)
		selection_filter_bits(selection, conditions->filters[i].bits, conditions->filters[i].need);
	for (uint32_t i = 0; i < conditions->count && selection->count; i++)
		selection_filter(selection, conditions->nodes[i]);
}
