/* Problems and metrics, compiled; and the way of a block through the tables up to them. */
#include "analysis/engine/compile.h"
#include "analysis/engine/group.h"
#include "analysis/engine/list.h"
#include "analysis/engine/stateful.h"

static enum status watch_conditions(struct watch *watch, const struct scope *scope)
{
	struct conditions *conditions = &watch->conditions;
	struct table *rows = watch->problem->is_for_each ? watch->table->source : watch->table;

	TRY(compile_conditions(watch->problem->when, scope, conditions));
	conditions_push_down(rows, conditions, !watch->problem->is_for_each);
	return OK;
}

static void spread_call(struct call_nodes *call, struct space *space)
{
	for (uint32_t i = 0; i < CALL_PARTS; i++)
		if (call->parts[i])
			call->parts[i] = node_broadcast(call->parts[i], space);
}

static enum status call_of(const struct expr *expr, const struct scope *scope, struct space *space,
                           struct call_nodes *call)
{
	const struct view *view = compile_event(expr, scope);

	if (!view)
		return FAILED;
	*call = view_parts(view_call(view));
	spread_call(call, space);
	return OK;
}

/* A sum with an estimate in it: the estimate, and the rest, which is known now. */
static enum status split(const struct expr *expr, bool is_added, const struct scope *scope,
                         struct node **known, struct node **estimate)
{
	struct graph *graph = scope->share->graph;
	struct node *value;

	if (expr->type.is_late && expr->kind == EXPR_BINARY) {
		TRY(split(expr->args[0], is_added, scope, known, estimate));
		return split(expr->args[1], is_added == (expr->op == OP_ADD), scope, known, estimate);
	}
	value = compile(expr, scope);
	if (!value)
		return FAILED;
	if (expr->type.is_late)
		*estimate = value;
	else
		*known = node_vector(graph, is_added ? VECTOR_ADD : VECTOR_SUBTRACT,
		                     (struct node *[]){*known, value});
	return OK;
}

static enum status watch_values(struct watch *watch, const struct scope *scope)
{
	const struct template *advice = problem_advice(watch->problem, scope->share->engine->lang);

	watch->advice = advice;
	watch->values = arena_array(scope->share->arena, struct node *, advice->count + 1u);
	watch->estimates = arena_array(scope->share->arena, struct node *, advice->count + 1u);
	for (uint32_t i = 0; i < advice->count; i++) {
		const struct expr *expr = advice->values[i];
		struct node *value = node_whole(scope->share->graph, 0), *estimate = NULL;
		if (expr->type.is_late)
			TRY(split(expr, true, scope, &value, &estimate));
		else if (!(value = compile(expr, scope)))
			return FAILED;
		watch->values[i] = node_broadcast(value, watch->space);
		watch->estimates[i] = estimate ? node_broadcast(estimate, watch->space) : NULL;
	}
	return OK;
}

/* The group whose rows a table has; NULL: others. */
static const struct table *group_below(const struct table *table)
{
	while (table->kind == TABLE_FILTER)
		table = table->source;
	return table->kind == TABLE_GROUP ? table : NULL;
}

static void watch_actions(struct watch *watch, const struct scope *scope)
{
	watch->group = group_below(watch->table);
	view_calls(watch->problem->is_for_each ? scope->each : watch->table->self, &watch->actions,
	           &watch->action_count);
	for (uint32_t i = 0; i < watch->action_count; i++)
		spread_call(&watch->actions[i], watch->space);
	if (!watch->group)
		return;
	view_calls(watch->group->inner[0], &watch->member_actions, &watch->member_action_count);
	for (uint32_t i = 0; i < watch->member_action_count; i++)
		spread_call(&watch->member_actions[i], watch->group->space->members);
}

static enum status refuse_each(const struct problem *problem)
{
	return fail(
		"%s:%u: the members of '%s' are not kept until it is complete: a problem for each of them "
		"needs `group by` an instance or a completion; use an aggregate in its parameters instead",
		problem->origin.file, problem->origin.line, problem->type->name);
}

static enum status fill_watch(struct watch *watch, const struct scope *scope)
{
	const struct problem *problem = watch->problem;

	TRY(watch_conditions(watch, scope));
	watch->duration = node_whole(scope->share->graph, 0);
	if (problem->duration)
		watch->duration = compile(problem->duration, scope);
	if (!watch->duration)
		return FAILED;
	watch->duration = node_broadcast(node_as(scope->share->graph, watch->duration, false), watch->space);
	if (problem->occurrences) {
		watch->occurrences = compile(problem->occurrences, scope);
		if (!watch->occurrences)
			return FAILED;
		watch->occurrences = node_broadcast(node_as(scope->share->graph, watch->occurrences, false),
		                                    watch->space);
	}
	if (problem->is_metric)
		return OK;
	TRY(call_of(problem->at, scope, watch->space, &watch->at));
	watch->has_partner = problem->partner;
	if (problem->partner)
		TRY(call_of(problem->partner, scope, watch->space, &watch->partner));
	TRY(watch_values(watch, scope));
	watch_actions(watch, scope);
	return OK;
}

/* What is longer than eps is longer than 0: the problem needs to look only at what its metric found. */

static bool implies(const struct node *narrow, const struct node *wide)
{
	if (narrow == wide)
		return true;
	return narrow->kind == NODE_VECTOR && narrow->vector == VECTOR_LESS && wide->kind == NODE_VECTOR &&
	       wide->vector == VECTOR_LESS && narrow->args[1] == wide->args[1] &&
	       is_constant(narrow->args[0]) && is_constant(wide->args[0]) &&
	       narrow->args[0]->value.i >= wide->args[0]->value.i;
}

static bool is_implied(const struct conditions *narrow, const struct node *wide)
{
	for (uint32_t i = 0; i < narrow->count; i++)
		if (implies(narrow->nodes[i], wide))
			return true;
	return false;
}

static bool is_wider(const struct watch *wide, const struct watch *narrow)
{
	const struct conditions *conditions = &wide->conditions;

	if (wide->space != narrow->space || (conditions->need & ~narrow->conditions.need))
		return false;
	for (uint32_t i = 0; i < conditions->count; i++)
		if (!is_implied(&narrow->conditions, conditions->nodes[i]))
			return false;
	return true;
}

static void find_wider(struct watch *watch)
{
	const struct table *table = watch->table;

	for (uint32_t i = 0; i < table->watch_count; i++)
		if (is_wider(table->watches[i], watch))
			watch->wider = table->watches[i];
}

enum status share_add(struct share *share, const struct problem *problem)
{
	struct watch *watch = arena_new(share->arena, struct watch);
	struct table *table;
	struct scope scope = {.share = share};

	TRY(table_get(share, problem->type, &table));
	if (problem->is_for_each && table->kind != TABLE_GROUP)
		return refuse_each(problem);
	watch->problem = problem;
	watch->table = table;
	watch->space = problem->is_for_each ? table->space->members : table->space;
	table->has_each = table->has_each || problem->is_for_each;
	scope.table = table;
	scope.self = table->self;
	scope.members = (const struct view *const *)table->members;
	scope.each = problem->is_for_each ? table->inner[0] : NULL;
	TRY(fill_watch(watch, &scope));
	find_wider(watch);
	LIST_ADD(share->arena, table->watches, table->watch_count, watch);
	LIST_ADD(share->arena, share->watches, share->watch_count, watch);
	return OK;
}

/* Running */

static void watch_run(struct watch *watch)
{
	const struct selection *all = watch->problem->is_for_each ? &watch->table->each_rows
	                                                          : &watch->table->selection;

	selection_begin(&watch->selection, watch->wider ? &watch->wider->selection : all);
	conditions_apply(&watch->conditions, &watch->selection);
	if (watch->selection.count)
		watch->found(watch);
}

static void hand_on(struct table *table)
{
	if (!table->selection.count)
		return;
	for (uint32_t i = 0; i < table->watch_count; i++)
		watch_run(table->watches[i]);
	for (uint32_t i = 0; i < table->port_count; i++)
		port_push(table->ports[i]);
	for (uint32_t i = 0; i < table->wanted_count; i++)
		table_run(table->wanted_by[i]);
}

void table_run(struct table *table)
{
	switch (table->kind) {
	case TABLE_RELATION:
		selection_begin(&table->selection, &table->space->all);
		break;
	case TABLE_FILTER:
		selection_begin(&table->selection, &table->source->selection);
		conditions_apply(&table->conditions, &table->selection);
		break;
	case TABLE_GROUP:
		group_run(table);
		break;
	case TABLE_STATEFUL:
		selection_begin(&table->selection, &table->space->all);
		conditions_apply(&table->conditions, &table->selection);
		break;
	}
	hand_on(table);
}

void share_run(struct share *share, const struct row_block *block)
{
	struct table *table = share->relations[block->relation];

	if (!table)
		return;
	table->block = block;
	space_begin(table->space, block->rows);
	space_begin(table->groups, block->groups);
	table->groups->group_of = block->group_of;
	table_run(table);
}

void share_finish(struct share *share)
{
	for (uint32_t i = 0; i < share->stateful_count; i++)
		stateful_finish(share->statefuls[i]);
}
