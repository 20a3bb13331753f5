/* Tables: one for each event type that is needed, made from those of its members. */
#include "analysis/engine/compile.h"
#include "analysis/engine/group.h"
#include "analysis/engine/list.h"
#include "analysis/engine/stateful.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct share *share_new(struct engine *engine)
{
	struct share *share = memory_new(1, sizeof *share);

	share->engine = engine;
	share->graph = graph_new();
	share->arena = &share->graph->arena;
	share->tables = arena_array(share->arena, struct table *, engine->book->type_count + 1u);
	return share;
}

static void release_table(struct table *table)
{
	if (!table)
		return;
	selection_release(&table->selection);
	group_release(table);
	for (uint32_t i = 0; i < table->port_count; i++)
		port_release(table->ports[i]);
}

void share_free(struct share *share)
{
	if (!share)
		return;
	for (uint32_t i = 0; i < share->stateful_count; i++)
		stateful_free(share->statefuls[i]);
	for (size_t i = 0; i < share->engine->book->type_count; i++)
		release_table(share->tables[i]);
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		if (share->relations[i])
			release_table(share->relations[i]);
	for (uint32_t i = 0; i < share->watch_count; i++)
		selection_release(&share->watches[i]->selection);
	graph_free(share->graph);
	free(share);
}

struct table *table_new(struct share *share, enum table_kind kind, const struct event_type *type)
{
	struct table *table = arena_new(share->arena, struct table);

	table->kind = kind;
	table->type = type;
	table->share = share;
	table->self = view_new(share, VIEW_TABLE, type);
	table->self->table = table;
	return table;
}

static void table_want(struct table *source, struct table *table)
{
	LIST_ADD(source->share->arena, source->wanted_by, source->wanted_count, table);
}

static void fill_lane(struct node *node, const struct selection *selection)
{
	const struct table *table = node->owner;

	block_lane(table->intake, table->block, &table->intake->lanes[node->number], selection->rows,
	           selection->count, node->column);
}

struct node *table_lane(struct table *relation, enum lane_kind kind, enum row_part told, uint32_t offset)
{
	uint32_t number = intake_lane(relation->intake, kind, told, offset);

	struct node *node = node_filled(
		&(struct node){.kind = NODE_INPUT,
	                       .space = told == PART_GROUP ? relation->groups : relation->space,
	                       .fill = fill_lane,
	                       .owner = relation,
	                       .is_truth = kind == LANE_BOOL,
	                       .number = number});

	if (!node->is_listed && told == PART_ROW)
		LIST_ADD(relation->share->arena, relation->told, relation->told_count, node);
	node->is_listed = true;
	return node;
}

static struct table *relation_table(struct share *share, enum relation relation)
{
	struct table *table = share->relations[relation];

	if (table)
		return table;
	table = share->relations[relation] = table_new(share, TABLE_RELATION, NULL);
	table->intake = &share->engine->intakes[relation];
	table->intake->is_used = true;
	table->space = space_new(share->graph, native_relations[relation].name);
	table->self->space = table->space;
	table->groups = space_new(share->graph, native_relations[relation].name);
	table->groups->members = table->space;
	return table;
}

/* The relation whose rows a table has; NULL: others. */
static struct table *relation_below(struct table *table)
{
	while (table->kind == TABLE_FILTER)
		table = table->source;
	return table->kind == TABLE_RELATION ? table : NULL;
}

static uint64_t need_below(const struct table *table)
{
	uint64_t need = 0;

	for (; table->kind == TABLE_FILTER; table = table->source)
		need |= table->conditions.need;
	return need;
}

void conditions_push_down(struct table *source, struct conditions *conditions, bool is_wanted)
{
	struct table *relation = relation_below(source);

	if (relation)
		answer_conditions(relation, conditions);
	for (uint32_t i = 0; i < conditions->count; i++)
		conditions->nodes[i] = node_broadcast(conditions->nodes[i], source->space);
	if (relation && is_wanted)
		intake_want(relation->intake, conditions->need | need_below(source));
}

static struct view *row_view(struct table *relation, const struct event_type *type)
{
	bool is_call = relation == relation->share->relations[RELATION_CALL];
	struct view *view = view_new(relation->share, is_call ? VIEW_CALL : VIEW_RELATION, type);

	view->table = relation;
	view->space = relation->space;
	return view;
}

static struct table *filter_of(struct share *share, struct table *source, const struct event_type *type)
{
	struct table *table = table_new(share, TABLE_FILTER, type);

	table->source = source;
	table->space = source->space;
	table->self->space = source->space;
	table_want(source, table);
	return table;
}

/* Calls of MPI, or of some functions */

static struct node *is_one_of(struct share *share, struct node *function, const char *const *names)
{
	struct engine *engine = share->engine;
	uint32_t count = 0;
	int64_t *numbers;

	while (names[count])
		count++;
	numbers = arena_array(share->arena, int64_t, count + 1u);
	for (uint32_t i = 0; i < count; i++) {
		numbers[i] = engine->function_number(engine->context, names[i]);
		engine->called[numbers[i] < ALL_CALLS ? numbers[i] : ALL_CALLS] = true;
	}
	return node_in_set(function, engine_set(engine, numbers, count));
}

static struct node *is_any(struct share *share, struct node *function)
{
	memset(share->engine->called, true, ALL_CALLS * sizeof *share->engine->called);
	return node_vector(share->graph, VECTOR_LESS,
	                   (struct node *[]){function, node_whole(share->graph, FIRST_FOREIGN)});
}

static enum status make_native(struct share *share, const struct event_type *type, struct table **made)
{
	enum relation relation = type->form == FORM_CALL ? RELATION_CALL : type->relation;
	struct table *source = relation_table(share, relation);
	struct table *table = filter_of(share, source, type);
	uint32_t slot = fact_slot(&share->engine->facts, FACT_COLUMN, CALL_COLUMN_FUNCTION);
	struct node *function, *condition;

	table->self = row_view(source, type);
	if (relation == RELATION_CALL) {
		function = node_fact(view_part(table->self, PART_FACTS), slot, false);
		condition = type->form == FORM_CALL && type->functions
		                    ? is_one_of(share, function, type->functions)
		                    : is_any(share, function);
		table->conditions.nodes = arena_array(share->arena, struct node *, 1);
		table->conditions.nodes[table->conditions.count++] = condition;
	}
	conditions_push_down(source, &table->conditions, false);
	*made = table;
	return OK;
}

/* Composites of one member */

static enum status make_filter(struct share *share, const struct event_type *type, struct table **made)
{
	const struct member *member = &type->members[0];
	struct table *source, *table;
	struct scope scope;

	TRY(table_get(share, member->type, &source));
	table = filter_of(share, source, type);
	table->members = arena_array(share->arena, struct view *, 1);
	table->members[0] = source->self;
	scope = (struct scope){.share = share,
	                       .table = table,
	                       .self = table->self,
	                       .members = (const struct view *const *)table->members};
	TRY(compile_conditions(member->where, &scope, &table->conditions));
	TRY(compile_conditions(type->when, &scope, &table->conditions));
	conditions_push_down(source, &table->conditions, false);
	*made = table;
	return OK;
}

/* Groups */

static bool is_told_together(struct table *source, const struct node *key)
{
	struct table *relation = relation_below(source);

	return relation && key->kind == NODE_INPUT && key->space == relation->space &&
	       relation->intake->lanes[key->number].kind == LANE_SERIAL;
}

/* What a member is outside of aggregates: any, as those of a group agree in their keys. */
static struct view *first_member(struct table *table, const struct view *member)
{
	struct filtering *all = find_filtering(table, &(struct conditions){0});
	struct node *index = folding_result(table,
	                                    &(struct folding){.aggregate = AGGREGATE_FIRST, .filter = all});

	return (struct view *)(uintptr_t)view_gathered(member, index, &table->member_rows);
}

/* What is asked of all members of a group alike is asked of the group. */
static void part_conditions(struct table *table)
{
	struct conditions *each = &table->member_conditions, *all = &table->group_conditions;
	uint32_t filters = 0, nodes = 0;

	for (uint32_t i = 0; i < each->filter_count; i++) {
		struct bit_filter filter = each->filters[i];
		if (filter.bits->kind != NODE_BROADCAST)
			each->filters[filters++] = filter;
		else
			LIST_ADD(table->share->arena, all->filters, all->filter_count,
			         ((struct bit_filter){filter.bits->args[0], filter.need}));
	}
	each->filter_count = filters;
	for (uint32_t i = 0; i < each->count; i++) {
		struct node *node = each->nodes[i];
		if (node->kind != NODE_BROADCAST)
			each->nodes[nodes++] = node;
		else
			LIST_ADD(table->share->arena, all->nodes, all->count, node->args[0]);
	}
	each->count = nodes;
}

static enum status make_closed_group(struct share *share, struct table *source, const struct event_type *type,
                                     struct table **made)
{
	struct table *table = table_new(share, TABLE_GROUP, type);
	struct scope scope = {.share = share, .table = table};

	table->source = source;
	table->space = relation_below(source)->groups;
	table->self->space = table->space;
	table->inner = arena_array(share->arena, struct view *, 1);
	table->inner[0] = source->self;
	table->members = arena_array(share->arena, struct view *, 1);
	table->members[0] = first_member(table, source->self);
	table_want(source, table);
	scope.members = (const struct view *const *)table->inner;
	TRY(compile_conditions(type->members[0].where, &scope, &table->member_conditions));
	conditions_push_down(source, &table->member_conditions, true);
	part_conditions(table);
	scope.members = (const struct view *const *)table->members;
	scope.self = table->self;
	TRY(compile_conditions(type->when, &scope, &table->conditions));
	*made = table;
	return OK;
}

static enum status make_group(struct share *share, const struct event_type *type, struct table **made)
{
	struct table *source;
	const struct view *member;
	struct scope scope = {.share = share};
	struct node *key;

	TRY(table_get(share, type->members[0].type, &source));
	member = source->self;
	scope.members = &member;
	if (type->key_count != 1)
		return stateful_make(share, type, made);
	key = compile(type->keys[0], &scope);
	if (!key)
		return FAILED;
	if (is_told_together(source, key))
		return make_closed_group(share, source, type, made);
	return stateful_make(share, type, made);
}

enum status table_get(struct share *share, const struct event_type *type, struct table **table)
{
	struct table **kept = &share->tables[type->number];
	enum status status = OK;

	if (!*kept) {
		if (type->form == FORM_CALL || type->form == FORM_NATIVE)
			status = make_native(share, type, kept);
		else if (type->form == FORM_JOIN && type->member_count == 1)
			status = make_filter(share, type, kept);
		else if (type->form == FORM_GROUP)
			status = make_group(share, type, kept);
		else
			status = stateful_make(share, type, kept);
	}
	if (status == OK)
		*table = *kept;
	return status;
}
