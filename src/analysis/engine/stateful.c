#include "analysis/engine/stateful.h"

#include "analysis/engine/rule_owners.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Ports */

struct port *port_add(struct stateful *stateful, struct table *source, const struct member *member)
{
	struct port *port = arena_new(stateful->partition->arena, struct port);

	port->stateful = stateful;
	port->source = source;
	port->is_shared = member->is_shared;
	port->number = stateful->port_count;
	arena_add(stateful->partition->arena, stateful->ports, stateful->port_count, port);
	arena_add(stateful->partition->arena, source->ports, source->port_count, port);
	return port;
}

uint32_t port_column(struct port *port, struct node *node)
{
	struct stateful *stateful = port->stateful;
	struct arena *arena = stateful->partition->arena;
	uint32_t columns = port->carried_count;

	node = node_broadcast(node, port->source->space);
	for (uint32_t i = 0; i < port->carried_count; i++)
		if (port->carried[i] == node)
			return port->columns[i];
	arena_add(arena, port->carried, port->carried_count, node);
	arena_add(arena, port->columns, columns, stateful->column_count);
	arena_add(arena, stateful->origins, stateful->column_count,
	          ((struct column_origin){port->number, port->carried_count - 1, 0}));
	return stateful->column_count - 1;
}

struct node *port_carry(struct port *port, struct space *space, struct node *node, uint32_t flag)
{
	if (is_constant(node))
		return node;
	return node_column(space, port_column(port, node) | flag, node->is_real);
}

void port_key(struct port *port, struct node *node)
{
	arena_add(port->stateful->partition->arena, port->keys, port->key_count,
	          node_broadcast(node, port->source->space));
}

const struct view *port_view(struct port *port, struct space *space, const struct view *view, uint32_t flag)
{
	struct view *carried = view_new(port->stateful->partition, VIEW_PORT, view->type);

	carried->one = (struct view *)(uintptr_t)view;
	carried->port = port;
	carried->space = space;
	carried->flag = flag;
	return carried;
}

static void put_column(struct port *port, struct node *node, uint32_t word)
{
	const struct row_selection *rows = &port->selection;
	uint32_t width = port->key_count + port->carried_count;
	const union word *values = is_constant(node) ? NULL : node_values(node, rows);

	for (uint32_t k = 0; k < rows->count; k++)
		port->tuples[(size_t)k * width + word] = values ? values[selection_row(rows, k)].i
		                                                : node->value.i;
}

static void open_groups(struct stateful *stateful);
static enum status make_groups(struct stateful *stateful);

static void open_operators(struct stateful *stateful)
{
	if (stateful->is_open)
		return;
	stateful->is_open = true;
	stateful->width = stateful->aggregate_count ? stateful->aggregate_count : stateful->column_count;
	stateful->columns = memory_new(stateful->width + 1u, sizeof *stateful->columns);
	for (uint32_t i = 0; i < stateful->width; i++)
		stateful->columns[i] = memory_new(GIVEN_ROWS, sizeof **stateful->columns);
	if (stateful->steps)
		joins_open(stateful);
	else
		open_groups(stateful);
}

void port_push(struct port *port)
{
	size_t words;

	selection_begin(&port->selection, &port->source->selection);
	conditions_apply(&port->conditions, &port->selection);
	if (!port->selection.count)
		return;
	open_operators(port->stateful);
	words = (size_t)port->selection.count * (port->key_count + port->carried_count + 1u);
	array_fit(port->tuples, port->tuple_room, words);
	for (uint32_t i = 0; i < port->key_count; i++)
		put_column(port, port->keys[i], i);
	for (uint32_t i = 0; i < port->carried_count; i++)
		put_column(port, port->carried[i], port->key_count + i);
	if (port->stateful->steps)
		joins_add(port, port->tuples, port->selection.count);
	else
		groups_add(port->stateful->groups, port->tuples, port->selection.count);
}

void port_release(struct port *port)
{
	selection_release(&port->selection);
	free(port->tuples);
	port->tuples = NULL;
}

/* Results of operators */

static void hand_on_given(struct stateful *stateful)
{
	struct table *table = stateful->table;

	if (!stateful->rows)
		return;
	space_begin(table->space, stateful->rows);
	for (struct node *column = table->space->columns; column; column = column->next_column)
		column->column = stateful->columns[column->number];
	stateful->rows = 0;
	table_run(table);
}

void given_row_done(struct stateful *stateful)
{
	if (++stateful->rows == GIVEN_ROWS)
		hand_on_given(stateful);
}

void stateful_finish(struct stateful *stateful)
{
	open_operators(stateful);
	rules_combine(stateful);
	if (stateful->steps)
		joins_finish(stateful);
	else
		groups_finish(stateful->groups);
	hand_on_given(stateful);
}

/* Making and freeing */

enum status stateful_make(struct partition *partition, const struct event_type *type, struct table **made)
{
	struct table *table = table_new(partition, TABLE_STATEFUL, type);
	struct stateful *stateful = arena_new(partition->arena, struct stateful);

	table->stateful = stateful;
	table->space = space_new(partition->graph, type->name);
	table->self->space = table->space;
	stateful->partition = partition;
	stateful->table = table;
	stateful->pair = space_new(partition->graph, type->name);
	if (type->form == FORM_JOIN)
		TRY(joins_make(stateful));
	else
		TRY(make_groups(stateful));
	arena_add(partition->arena, partition->statefuls, partition->stateful_count, stateful);
	*made = table;
	return OK;
}

void stateful_free(struct stateful *stateful)
{
	if (stateful->is_open && stateful->steps)
		joins_free(stateful);
	else if (stateful->is_open)
		groups_free(stateful->groups);
	for (uint32_t i = 0; i < stateful->width; i++)
		free(stateful->columns[i]);
	free(stateful->columns);
}

bool type_has_messages(const struct event_type *type)
{
	if (type->form == FORM_NATIVE)
		return type->relation == RELATION_TRANSFER;
	for (uint32_t i = 0; i < type->member_count; i++)
		if (type_has_messages(type->members[i].type))
			return true;
	return false;
}

/* The member that an aggregate picks; the same for all its columns. */
struct pick_plan {
	struct stateful *stateful;
	enum aggregate aggregate;
	struct node *value, *filter;
};

static struct node *aggregate_column(struct stateful *stateful, const struct key_aggregate *wanted,
                                     bool is_real)
{
	struct key_aggregate *all = stateful->aggregates;

	for (uint32_t i = 0; i < stateful->aggregate_count; i++)
		if (all[i].aggregate == wanted->aggregate && all[i].value == wanted->value &&
		    all[i].filter == wanted->filter && all[i].result == wanted->result)
			return node_column(stateful->table->space, i, is_real);
	stateful->partition->engine->is_ordered |= (wanted->result ||
	                                            stateful->table->type->form == FORM_RUN) &&
	                                           type_has_messages(stateful->table->type);
	arena_add(stateful->partition->arena, stateful->aggregates, stateful->aggregate_count, *wanted);
	return node_column(stateful->table->space, stateful->aggregate_count - 1, is_real);
}

struct node *pick_column(struct pick_plan *plan, struct node *node, union word absent)
{
	bool is_of_any = !plan->filter && !plan->value;

	if (is_constant(node) && is_of_any)
		return node;
	return aggregate_column(
		plan->stateful,
		&(struct key_aggregate){plan->aggregate, plan->value, plan->filter, node, absent},
		node->is_real);
}

static struct pick_plan *plan_of(const struct expr *expr, const struct scope *inner)
{
	struct pick_plan *plan = arena_new(inner->partition->arena, struct pick_plan);

	plan->stateful = inner->table->stateful;
	plan->aggregate = expr->aggregate;
	if (aggregate_has_value(expr->aggregate)) {
		plan->value = compile(expr->args[0], inner);
		if (!plan->value)
			return NULL;
	}
	if (expr->arg_count < 2 || !expr->args[1])
		return plan;
	plan->filter = compile(expr->args[1], inner);
	return plan->filter ? plan : NULL;
}

struct node *stateful_aggregate(const struct expr *expr, const struct scope *inner, const struct expr *picked)
{
	struct pick_plan *plan = plan_of(expr, inner);
	struct node *node;

	if (!plan)
		return NULL;
	if (!picked)
		return aggregate_column(
			plan->stateful,
			&(struct key_aggregate){plan->aggregate, plan->value, plan->filter, NULL, {.i = 0}},
			aggregate_gives_real(plan->aggregate, plan->value && plan->value->is_real));
	node = compile(picked, inner);
	return node ? pick_column(plan, node, absent_word(node->is_real)) : NULL;
}

static const struct view *picked_view(struct pick_plan *plan, const struct view *one)
{
	struct view *view = view_new(one->partition, VIEW_PICKED, one->type);

	view->one = (struct view *)(uintptr_t)one;
	view->pick = plan;
	return view;
}

const struct view *stateful_event_aggregate(const struct expr *expr, const struct scope *inner,
                                            const struct expr *picked)
{
	struct pick_plan *plan = plan_of(expr, inner);
	const struct view *view = plan ? compile_event(picked, inner) : NULL;

	return view ? picked_view(plan, view) : NULL;
}

/* Making */

static enum status make_groups(struct stateful *stateful)
{
	struct table *table = stateful->table, *source;
	const struct member *member = &table->type->members[0];
	struct arena *arena = stateful->partition->arena;
	struct port *port;
	struct scope inner, outer;
	struct pick_plan *plan;
	const struct view *current;
	struct scope pairs;

	TRY(table_get(stateful->partition, member->type, &source));
	port = port_add(stateful, source, member);
	table->inner = arena_array(arena, struct view *, 1);
	table->members = arena_array(arena, struct view *, 1);
	table->inner[0] = source->self;
	/* Outside aggregates, a member stands for any row of the group, because they agree in their keys. */
	plan = arena_new(arena, struct pick_plan);
	*plan = (struct pick_plan){.stateful = stateful, .aggregate = AGGREGATE_FIRST};
	table->members[0] = (struct view *)(uintptr_t)picked_view(plan, source->self);
	inner = (struct scope){.partition = stateful->partition,
	                       .table = table,
	                       .members = (const struct view *const *)table->inner};
	outer = (struct scope){.partition = stateful->partition,
	                       .table = table,
	                       .self = table->self,
	                       .members = (const struct view *const *)table->members};
	for (uint32_t i = 0; i < table->type->key_count; i++) {
		struct node *key = compile(table->type->keys[i], &inner);
		if (!key)
			return FAILED;
		port_key(port, key);
	}
	TRY(compile_conditions(member->where, &inner, &port->conditions));
	conditions_push_down(source, &port->conditions, true);
	current = port_view(port, stateful->pair, source->self, 0);
	pairs = (struct scope){.partition = stateful->partition,
	                       .members = &current,
	                       .previous = port_view(port, stateful->pair, source->self, PREVIOUS_COLUMN)};
	TRY(compile_conditions(table->type->while_condition, &pairs, &stateful->going_on));
	aggregate_column(stateful, &(struct key_aggregate){.aggregate = AGGREGATE_COUNT}, false);
	return compile_conditions(table->type->when, &outer, &table->conditions);
}

/* Running */

static bool goes_on(void *context, const int64_t *previous, const int64_t *current)
{
	struct stateful *stateful = context;
	struct space *pair = stateful->pair;
	uint32_t keys = stateful->ports[0]->key_count;

	space_begin(pair, 1);
	for (struct node *column = pair->columns; column; column = column->next_column) {
		const int64_t *tuple = column->number & PREVIOUS_COLUMN ? previous : current;
		uint32_t index = stateful->origins[column->number & ~PREVIOUS_COLUMN].index;
		column->column = (union word *)(uintptr_t)&tuple[keys + index];
	}
	return conditions_hold(&stateful->going_on, pair);
}

static void put(void *context, const int64_t *result)
{
	struct stateful *stateful = context;
	uint32_t keys = stateful->ports[0]->key_count;

	for (uint32_t i = 0; i < stateful->aggregate_count; i++)
		stateful->columns[i][stateful->rows].i = result[keys + i];
	given_row_done(stateful);
}

static uint32_t word_of(struct port *port, struct node *node)
{
	uint32_t column = node ? port_column(port, node) : 0;

	return node ? port->key_count + port->stateful->origins[column].index : NO_WORD;
}

static void open_groups(struct stateful *stateful)
{
	struct port *port = stateful->ports[0];
	const struct table *source = port->source;
	uint32_t count = stateful->aggregate_count, together = 0;
	struct tuple_aggregate *aggregates = arena_array(stateful->partition->arena, struct tuple_aggregate,
	                                                 count);

	for (uint32_t i = 0; i < count; i++) {
		const struct key_aggregate *wanted = &stateful->aggregates[i];

		aggregates[i] = (struct tuple_aggregate){.aggregate = wanted->aggregate,
		                                         .is_real = wanted->value && wanted->value->is_real,
		                                         .value = word_of(port, wanted->value),
		                                         .filter = word_of(port, wanted->filter),
		                                         .result = word_of(port, wanted->result),
		                                         .absent = wanted->absent};
	}
	/* The key word by which tuples arrive together, + 1: sites arrive process by process. */
	while (source->kind == TABLE_FILTER)
		source = source->source;
	if (source == stateful->partition->relations[RELATION_SITE] &&
	    stateful->table->type->form == FORM_GROUP)
		for (uint32_t i = port->key_count; i-- > 0;)
			if (port->keys[i]->kind == NODE_FACT && port->keys[i]->number == FACT_PROCESS)
				together = i + 1;
	stateful->groups = groups_new(
		&(struct groups_plan){.width = port->key_count + port->carried_count,
	                              .keys = port->key_count,
	                              .aggregates = aggregates,
	                              .aggregate_count = count,
	                              .context = stateful,
	                              .continues = stateful->going_on.count ? goes_on : NULL,
	                              .put = put,
	                              .together = together});
}

uint64_t stateful_dropped(const struct stateful *stateful)
{
	if (!stateful->is_open)
		return 0;
	return stateful->steps ? joins_dropped(stateful) : groups_counts(stateful->groups).dropped;
}
