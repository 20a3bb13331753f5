/* Tables: one for each event type that is needed, made from those of its members. */
#include "analysis/engine/compile.h"
#include "analysis/engine/group.h"
#include "analysis/engine/stateful.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct partition *partition_new(struct engine *engine)
{
	struct partition *partition = memory_new(1, sizeof *partition);

	partition->engine = engine;
	partition->graph = graph_new();
	partition->arena = &partition->graph->arena;
	partition->tables = arena_array(partition->arena, struct table *, engine->book->type_count + 1u);
	return partition;
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

void partition_free(struct partition *partition)
{
	if (!partition)
		return;
	for (uint32_t i = 0; i < partition->stateful_count; i++)
		stateful_free(partition->statefuls[i]);
	for (size_t i = 0; i < partition->engine->book->type_count; i++)
		release_table(partition->tables[i]);
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		if (partition->relations[i])
			release_table(partition->relations[i]);
	for (uint32_t i = 0; i < partition->rule_count; i++)
		selection_release(&partition->rules[i]->selection);
	text_release(&partition->rows_for_leader);
	free(partition->is_chosen);
	graph_free(partition->graph);
	free(partition);
}

struct table *table_new(struct partition *partition, enum table_kind kind, const struct event_type *type)
{
	struct table *table = arena_new(partition->arena, struct table);

	table->kind = kind;
	table->type = type;
	table->partition = partition;
	table->self = view_new(partition, VIEW_TABLE, type);
	table->self->table = table;
	return table;
}

static void table_want(struct table *source, struct table *table)
{
	arena_add(source->partition->arena, source->wanted_by, source->wanted_count, table);
}

static void fill_input(struct node *node, const struct row_selection *selection)
{
	const struct table *table = node->owner;

	block_column(table->batch, table->block, &table->batch->columns[node->number], selection->rows,
	             selection->count, node->column);
}

struct node *table_input(struct table *relation, enum input_kind kind, enum row_part part, uint32_t offset)
{
	return node_filled(&(struct node){.kind = NODE_INPUT,
	                                  .space = part == PART_GROUP ? relation->groups : relation->space,
	                                  .fill = fill_input,
	                                  .owner = relation,
	                                  .is_truth = kind == INPUT_BOOL,
	                                  .number = batch_column(relation->batch, kind, part, offset)});
}

/* The relation whose rows a table has; NULL: others. */
static struct table *relation_below(struct table *table)
{
	while (table->kind == TABLE_FILTER)
		table = table->source;
	return table->kind == TABLE_RELATION ? table : NULL;
}

void conditions_push_down(struct table *source, struct conditions *conditions, bool is_wanted)
{
	struct table *relation = relation_below(source);
	uint64_t need = 0;

	if (relation)
		answer_conditions(relation, conditions);
	for (uint32_t i = 0; i < conditions->count; i++)
		conditions->nodes[i] = node_broadcast(conditions->nodes[i], source->space);
	for (const struct table *filter = source; filter->kind == TABLE_FILTER; filter = filter->source)
		need |= filter->conditions.need;
	if (relation && is_wanted)
		batch_want(relation->batch, conditions->need | need);
}

static struct table *filter_of(struct partition *partition, struct table *source,
                               const struct event_type *type)
{
	struct table *table = table_new(partition, TABLE_FILTER, type);

	table->source = source;
	table->space = source->space;
	table->self->space = source->space;
	table_want(source, table);
	return table;
}

/* Calls of MPI, or of some functions. */
static struct node *is_called(struct partition *partition, struct node *function, const char *const *names)
{
	struct engine *engine = partition->engine;
	uint32_t count = 0;
	int64_t *numbers;

	if (!names) {
		memset(engine->called, true, ALL_CALLS * sizeof *engine->called);
		return node_vector(partition->graph, VECTOR_LESS,
		                   (struct node *[]){function, node_whole(partition->graph, FIRST_FOREIGN)});
	}
	while (names[count])
		count++;
	numbers = arena_array(partition->arena, int64_t, count + 1u);
	for (uint32_t i = 0; i < count; i++) {
		numbers[i] = engine->function_number(engine->context, names[i]);
		engine->called[numbers[i] < ALL_CALLS ? numbers[i] : ALL_CALLS] = true;
	}
	return node_in_set(function, engine_set(engine, numbers, count));
}

static enum status make_native(struct partition *partition, const struct event_type *type,
                               struct table **made)
{
	enum relation relation = type->form == FORM_CALL ? RELATION_CALL : type->relation;
	struct table *source = partition->relations[relation], *table;
	uint32_t slot = fact_slot(&partition->engine->facts, FACT_COLUMN, CALL_COLUMN_FUNCTION);
	struct view *view = view_new(partition, relation == RELATION_CALL ? VIEW_CALL : VIEW_RELATION, type);

	if (!source) {
		source = partition->relations[relation] = table_new(partition, TABLE_RELATION, NULL);
		source->batch = &partition->engine->batches[relation];
		source->batch->is_used = true;
		source->space = space_new(partition->graph, native_relations[relation].name);
		source->self->space = source->space;
		source->groups = space_new(partition->graph, native_relations[relation].name);
		source->groups->members = source->space;
	}
	table = filter_of(partition, source, type);
	view->table = source;
	view->space = source->space;
	table->self = view;
	if (relation == RELATION_CALL) {
		struct node *function = node_fact(view_part(table->self, PART_FACTS), slot, false);

		arena_add(partition->arena, table->conditions.nodes, table->conditions.count,
		          is_called(partition, function, type->form == FORM_CALL ? type->functions : NULL));
	}
	conditions_push_down(source, &table->conditions, false);
	*made = table;
	return OK;
}

/* Composites of one member */

static enum status make_filter(struct partition *partition, const struct event_type *type,
                               struct table **made)
{
	const struct member *member = &type->members[0];
	struct table *source, *table;
	struct scope scope;

	TRY(table_get(partition, member->type, &source));
	table = filter_of(partition, source, type);
	table->members = arena_array(partition->arena, struct view *, 1);
	table->members[0] = source->self;
	scope = (struct scope){.partition = partition,
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

/* A value that is equal for all members of a group is taken from the group. */
static void part_conditions(struct table *table)
{
	struct conditions *each = &table->member_conditions, *all = &table->group_conditions;
	uint32_t filters = 0, nodes = 0;

	for (uint32_t i = 0; i < each->filter_count; i++) {
		struct bit_filter filter = each->filters[i];
		if (filter.bits->kind != NODE_BROADCAST)
			each->filters[filters++] = filter;
		else
			arena_add(table->partition->arena, all->filters, all->filter_count,
			          ((struct bit_filter){filter.bits->args[0], filter.need}));
	}
	each->filter_count = filters;
	for (uint32_t i = 0; i < each->count; i++) {
		struct node *node = each->nodes[i];
		if (node->kind != NODE_BROADCAST)
			each->nodes[nodes++] = node;
		else
			arena_add(table->partition->arena, all->nodes, all->count, node->args[0]);
	}
	each->count = nodes;
}

static enum status make_closed_group(struct partition *partition, struct table *source,
                                     const struct event_type *type, struct table **made)
{
	struct table *table = table_new(partition, TABLE_GROUP, type);
	struct scope scope = {.partition = partition, .table = table};
	struct member_filter *all;
	struct node *index;

	table->source = source;
	table->space = relation_below(source)->groups;
	table->self->space = table->space;
	table->inner = arena_array(partition->arena, struct view *, 1);
	table->inner[0] = source->self;
	table->members = arena_array(partition->arena, struct view *, 1);
	/* Outside aggregates, a member stands for any row of the group, because they agree in their keys. */
	all = find_member_filter(table, &(struct conditions){0});
	index = group_aggregate_result(
		table, &(struct group_aggregate){.aggregate = AGGREGATE_FIRST, .filter = all});
	table->members[0] = (struct view *)(uintptr_t)view_gathered(source->self, index, &table->member_rows);
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

static enum status make_group(struct partition *partition, const struct event_type *type, struct table **made)
{
	struct table *source, *relation;
	const struct view *member;
	struct scope scope = {.partition = partition, .members = &member};
	struct node *key;

	TRY(table_get(partition, type->members[0].type, &source));
	member = source->self;
	if (type->key_count != 1)
		return stateful_make(partition, type, made);
	key = compile(type->keys[0], &scope);
	if (!key)
		return FAILED;
	relation = relation_below(source);
	/* Its members are told together. */
	if (relation && key->kind == NODE_INPUT && key->space == relation->space &&
	    relation->batch->columns[key->number].kind == INPUT_SERIAL)
		return make_closed_group(partition, source, type, made);
	return stateful_make(partition, type, made);
}

enum status table_get(struct partition *partition, const struct event_type *type, struct table **table)
{
	struct table **kept = &partition->tables[type->number];
	enum status status = OK;

	if (!*kept) {
		if (type->form == FORM_CALL || type->form == FORM_NATIVE)
			status = make_native(partition, type, kept);
		else if (type->form == FORM_JOIN && type->member_count == 1)
			status = make_filter(partition, type, kept);
		else if (type->form == FORM_GROUP)
			status = make_group(partition, type, kept);
		else
			status = stateful_make(partition, type, kept);
	}
	if (status == OK)
		*table = *kept;
	return status;
}
