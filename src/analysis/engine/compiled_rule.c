/* Compiled problems and metrics, and the path of a block through tables to them. */
#include "analysis/engine/compile.h"
#include "analysis/engine/group.h"
#include "analysis/engine/rule_owners.h"
#include "analysis/engine/shared_rules.h"
#include "base/array.h"

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

/* A sum with an estimate: the estimate, and the rest, which is already known. */
static enum status split(const struct expr *expr, bool is_added, const struct scope *scope,
                         struct node **known, struct node **estimate)
{
	struct graph *graph = scope->partition->graph;
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

static void rule_actions(struct compiled_rule *rule, const struct scope *scope)
{
	const struct table *table = rule->table;

	while (table->kind == TABLE_FILTER)
		table = table->source;
	rule->group = table->kind == TABLE_GROUP ? table : NULL;
	view_calls(rule->problem->is_for_each ? scope->each : rule->table->self, &rule->actions,
	           &rule->action_count);
	for (uint32_t i = 0; i < rule->action_count; i++)
		spread_call(&rule->actions[i], rule->space);
	if (!rule->group)
		return;
	view_calls(rule->group->inner[0], &rule->member_actions, &rule->member_action_count);
	for (uint32_t i = 0; i < rule->member_action_count; i++)
		spread_call(&rule->member_actions[i], rule->group->space->members);
}

static enum status fill_watch(struct compiled_rule *rule, const struct scope *scope)
{
	const struct problem *problem = rule->problem;
	const struct template *advice;

	TRY(compile_conditions(problem->when, scope, &rule->conditions));
	conditions_push_down(problem->is_for_each ? rule->table->source : rule->table, &rule->conditions,
	                     !problem->is_for_each);
	rule->duration = node_whole(scope->partition->graph, 0);
	if (problem->duration)
		rule->duration = compile(problem->duration, scope);
	if (!rule->duration)
		return FAILED;
	rule->duration = node_broadcast(node_as(scope->partition->graph, rule->duration, false), rule->space);
	if (problem->occurrences) {
		rule->occurrences = compile(problem->occurrences, scope);
		if (!rule->occurrences)
			return FAILED;
		rule->occurrences = node_broadcast(node_as(scope->partition->graph, rule->occurrences, false),
		                                   rule->space);
	}
	if (problem->is_metric)
		return OK;
	TRY(call_of(problem->at, scope, rule->space, &rule->at));
	rule->has_partner = problem->partner;
	if (problem->partner)
		TRY(call_of(problem->partner, scope, rule->space, &rule->partner));
	advice = problem_advice(rule->problem, scope->partition->engine->lang);
	rule->advice = advice;
	rule->values = arena_array(scope->partition->arena, struct node *, advice->count + 1u);
	rule->estimates = arena_array(scope->partition->arena, struct node *, advice->count + 1u);
	for (uint32_t i = 0; i < advice->count; i++) {
		const struct expr *expr = advice->values[i];
		struct node *value = node_whole(scope->partition->graph, 0), *estimate = NULL;
		if (expr->type.is_late)
			TRY(split(expr, true, scope, &value, &estimate));
		else if (!(value = compile(expr, scope)))
			return FAILED;
		rule->values[i] = node_broadcast(value, rule->space);
		rule->estimates[i] = estimate ? node_broadcast(estimate, rule->space) : NULL;
	}
	rule_actions(rule, scope);
	return OK;
}

/* A problem with a time above eps needs only the rows of a metric with a time above 0. */
static bool is_implied(const struct conditions *narrow, const struct node *wide)
{
	for (uint32_t i = 0; i < narrow->count; i++) {
		const struct node *one = narrow->nodes[i];
		if (one == wide)
			return true;
		if (is_vector(one, VECTOR_LESS) && is_vector(wide, VECTOR_LESS) &&
		    one->args[1] == wide->args[1] && is_constant(one->args[0]) &&
		    is_constant(wide->args[0]) && one->args[0]->value.i >= wide->args[0]->value.i)
			return true;
	}
	return false;
}

static bool is_wider(const struct compiled_rule *wide, const struct compiled_rule *narrow)
{
	const struct conditions *conditions = &wide->conditions;

	if (wide->space != narrow->space || (conditions->need & ~narrow->conditions.need))
		return false;
	for (uint32_t i = 0; i < conditions->count; i++)
		if (!is_implied(&narrow->conditions, conditions->nodes[i]))
			return false;
	return true;
}

enum status partition_add(struct partition *partition, const struct problem *problem)
{
	struct compiled_rule *rule = arena_new(partition->arena, struct compiled_rule);
	struct table *table;
	struct scope scope = {.partition = partition};

	TRY(table_get(partition, problem->type, &table));
	if (problem->is_for_each && table->kind != TABLE_GROUP)
		return fail(
			"%s:%u: the members of '%s' are not kept until it is complete: a problem for each of them "
			"needs `group by` an instance or a completion; use an aggregate in its parameters instead",
			problem->origin.file, problem->origin.line, problem->type->name);
	rule->problem = problem;
	rule->table = table;
	rule->space = problem->is_for_each ? table->space->members : table->space;
	table->has_each = table->has_each || problem->is_for_each;
	scope.table = table;
	scope.self = table->self;
	scope.members = (const struct view *const *)table->members;
	scope.each = problem->is_for_each ? table->inner[0] : NULL;
	TRY(fill_watch(rule, &scope));
	for (uint32_t i = 0; i < table->rule_count; i++)
		if (is_wider(table->rules[i], rule))
			rule->wider = table->rules[i];
	arena_add(partition->arena, table->rules, table->rule_count, rule);
	arena_add(partition->arena, partition->rules, partition->rule_count, rule);
	return OK;
}

/* Running */

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
	if (!table->selection.count)
		return;
	for (uint32_t i = 0; i < table->rule_count && !rules_are_elsewhere(table); i++) {
		struct compiled_rule *rule = table->rules[i];
		const struct row_selection *all = rule->problem->is_for_each ? &rule->table->each_rows
		                                                             : &rule->table->selection;

		selection_begin(&rule->selection, rule->wider ? &rule->wider->selection : all);
		conditions_apply(&rule->conditions, &rule->selection);
		if (rule->selection.count)
			rule->found(rule);
	}
	for (uint32_t i = 0; i < table->port_count; i++)
		if (!port_is_elsewhere(table->ports[i]))
			port_push(table->ports[i]);
		else
			port_choose(table->ports[i]);
	for (uint32_t i = 0; i < table->wanted_count; i++)
		table_run(table->wanted_by[i]);
}

static void choose_none(struct partition *partition, uint32_t rows)
{
	array_fit(partition->is_chosen, partition->chosen_room, rows);
	memset(partition->is_chosen, 0, rows * sizeof *partition->is_chosen);
}

void partition_run(struct partition *partition, const struct row_block *block)
{
	struct table *table = partition->relations[block->relation];

	if (!table)
		return;
	table->block = block;
	space_begin(table->space, block->rows);
	space_begin(table->groups, block->groups);
	table->groups->group_of = block->group_of;
	if (partition->origin == ROWS_OF_OWN)
		choose_none(partition, block->rows);
	table_run(table);
	if (partition->chosen) {
		shared_rows_pack(&partition->rows_for_leader, block, partition->is_chosen);
		partition->chosen = 0;
	}
}

void partition_finish(struct partition *partition)
{
	for (uint32_t i = 0; i < partition->stateful_count; i++)
		stateful_finish(partition->statefuls[i]);
}
