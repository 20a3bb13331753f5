#include "analysis/engine/group.h"

#include "analysis/engine/stateful.h"

#include <string.h>

static const struct row_selection *choose(const struct group_aggregate *aggregate)
{
	struct member_filter *filter = aggregate->filter;

	if (filter->stamp == aggregate->table->space->stamp)
		return &filter->chosen;
	filter->stamp = aggregate->table->space->stamp;
	selection_begin(&filter->chosen, &aggregate->table->member_rows);
	conditions_apply(&filter->conditions, &filter->chosen);
	return &filter->chosen;
}

/* The rows of `rows` that belong to these groups. Groups and rows are in order, and each group has a row. So
 * the first row of a group has at least the number of the group. */
static void pick_members(struct row_selection *picked, const struct row_selection *rows,
                         const struct row_selection *groups, const uint32_t *group_of)
{
	uint32_t *list = selection_list(picked, rows->count);
	uint32_t count = 0, at = 0;

	for (uint32_t k = 0; k < groups->count; k++) {
		uint32_t group = groups->rows[k];
		at = !rows->rows && at < group ? group : at;
		while (at < rows->count && group_of[selection_row(rows, at)] < group)
			at++;
		for (; at < rows->count && group_of[selection_row(rows, at)] == group; at++)
			list[count++] = selection_row(rows, at);
	}
	picked->within = rows;
	picked->rows = list;
	picked->count = count;
}

/* Rows and groups then have the same numbers. */
static bool is_row_for_group(const struct table *table)
{
	return table->space->all.count == table->space->members->all.count;
}

static void fill_groups(struct node *node, const struct row_selection *selection)
{
	struct group_aggregate *aggregate = node->owner;
	const struct row_selection *rows = choose(aggregate);
	bool is_real = aggregate->value && aggregate->value->is_real;
	union word none = aggregate_of_none(aggregate->aggregate, is_real);

	for (uint32_t k = 0; k < selection->count; k++)
		node->column[selection_row(selection, k)] = none;
	aggregate_block(&(struct aggregate_block){
		.aggregate = aggregate->aggregate,
		.is_real = is_real,
		.values = aggregate->value ? node_values(aggregate->value, rows) : NULL,
		.rows = rows->rows,
		.count = rows->count,
		.group_of = aggregate->table->space->group_of,
		.out = node->column});
}

/* By members, with `mine` */

uint32_t group_first_member(const struct table *table, uint32_t group)
{
	uint32_t from = 0;

	for (uint32_t size = table->member_rows.count; size;) {
		uint32_t half = size / 2;
		uint32_t row = selection_row(&table->member_rows, from + half);
		bool is_before = table->space->group_of[row] < group;
		from += is_before ? half + 1 : 0;
		size = is_before ? size - half - 1 : half;
	}
	return from;
}

static void fill_members(struct node *node, const struct row_selection *selection)
{
	struct group_aggregate *aggregate = node->owner;
	const struct row_selection *members = &aggregate->table->member_rows, *chosen = choose(aggregate);
	const uint32_t *group_of = aggregate->table->space->group_of;
	struct compared_aggregate compared = {.aggregate = aggregate->aggregate,
	                                      .op = aggregate->op,
	                                      .compares_real = aggregate->theirs->is_real,
	                                      .theirs = node_values(aggregate->theirs, members),
	                                      .mine = node_values(aggregate->mine, members)};
	uint32_t from = 0, to;

	if (aggregate->value) {
		compared.values = node_values(aggregate->value, members);
		compared.is_real = aggregate->value->is_real;
	}
	for (uint32_t i = 0; i < selection->count; i++)
		node->column[i] = aggregate_of_none(aggregate->aggregate, compared.is_real);
	for (; from < chosen->count; from = to) {
		uint32_t group = group_of[selection_row(chosen, from)];
		struct rows askers = {.selection = members->rows,
		                      .from = group_first_member(aggregate->table, group)};

		askers.to = askers.from;
		while (askers.to < members->count && group_of[selection_row(members, askers.to)] == group)
			askers.to++;
		for (to = from + 1; to < chosen->count && group_of[selection_row(chosen, to)] == group;)
			to++;
		aggregate_compared(&compared, (struct rows){chosen->rows, from, to}, askers,
		                   &aggregate->scratch, node->column);
	}
}

/* Aggregates that are the same */

struct member_filter *find_member_filter(struct table *table, const struct conditions *conditions)
{
	struct member_filter *filter;

	for (filter = table->filters; filter; filter = filter->next)
		if (filter->conditions.need == conditions->need &&
		    filter->conditions.count == conditions->count &&
		    (!filter->conditions.count ||
		     memcmp(filter->conditions.nodes, conditions->nodes,
		            filter->conditions.count * sizeof *filter->conditions.nodes) == 0))
			return filter;
	filter = arena_new(table->partition->arena, struct member_filter);
	filter->conditions = *conditions;
	filter->next = table->filters;
	return table->filters = filter;
}

struct node *group_aggregate_result(struct table *table, const struct group_aggregate *wanted)
{
	struct group_aggregate *aggregate;

	for (aggregate = table->aggregates; aggregate; aggregate = aggregate->next)
		if (aggregate->aggregate == wanted->aggregate && aggregate->value == wanted->value &&
		    aggregate->filter == wanted->filter && aggregate->op == wanted->op &&
		    aggregate->theirs == wanted->theirs && aggregate->mine == wanted->mine)
			return aggregate->result;
	aggregate = arena_new(table->partition->arena, struct group_aggregate);
	*aggregate = *wanted;
	aggregate->table = table;
	aggregate->next = table->aggregates;
	table->aggregates = aggregate;
	aggregate->result = node_filled(
		&(struct node){.kind = NODE_FILLED,
	                       .space = wanted->op ? table->space->members : table->space,
	                       .fill = wanted->op ? fill_members : fill_groups,
	                       .owner = aggregate,
	                       .is_real = aggregate_gives_real(aggregate->aggregate,
	                                                       aggregate->value && aggregate->value->is_real),
	                       .is_whole = true});
	return aggregate->result;
}

struct node *group_gather(struct node *index, struct node *values, const struct row_selection *selection,
                          union word absent)
{
	const struct group_aggregate *aggregate = index->owner;
	struct graph *graph = index->space->graph;
	struct node *is_there;

	if (!is_constant(values) && !values->space->members)
		return node_gather(index, values, selection, absent);
	/* One member of each group, of all its members. */
	if (index->fill == fill_groups && !aggregate->value && !aggregate->filter->conditions.need &&
	    !aggregate->filter->conditions.count)
		return values;
	is_there = node_vector(graph, VECTOR_LESS_EQUAL, (struct node *[]){node_whole(graph, 0), index});
	return node_vector(
		graph, values->is_real ? VECTOR_REAL_CHOOSE : VECTOR_CHOOSE,
		(struct node *[]){is_there, values, node_constant(graph, absent, values->is_real)});
}

/* Running */

/* Those of `groups` that have members. */
static void find_groups(struct table *table, const struct row_selection *groups)
{
	const struct row_selection *members = &table->member_rows;
	const uint32_t *group_of = table->space->group_of;
	uint32_t *list, count = 0, at = 0;

	selection_begin(&table->selection, groups);
	if (!members->rows)
		return;
	if (is_row_for_group(table) && !groups->rows) {
		table->selection.rows = members->rows;
		table->selection.count = members->count;
		return;
	}
	list = selection_list(&table->selection, groups->count);
	for (uint32_t k = 0; k < groups->count; k++) {
		uint32_t group = selection_row(groups, k);
		while (at < members->count && group_of[members->rows[at]] < group)
			at++;
		list[count] = group;
		count += at < members->count && group_of[members->rows[at]] == group;
	}
	table->selection.rows = list;
	table->selection.count = count;
}

static void find_members(struct table *table)
{
	uint32_t *list = selection_list(&table->each_rows, table->member_rows.count);
	uint32_t count = 0, at = 0;

	for (uint32_t k = 0; k < table->member_rows.count && at < table->selection.count; k++) {
		uint32_t row = selection_row(&table->member_rows, k), group = table->space->group_of[row];
		while (at < table->selection.count && selection_row(&table->selection, at) < group)
			at++;
		list[count] = row;
		count += at < table->selection.count && selection_row(&table->selection, at) == group;
	}
	table->each_rows.within = &table->member_rows;
	table->each_rows.rows = list;
	table->each_rows.count = count;
}

void group_run(struct table *table)
{
	struct row_selection *rows = &table->member_rows, *groups = &table->member_groups;

	selection_begin(groups, &table->space->all);
	conditions_apply(&table->group_conditions, groups);
	table->selection.count = 0;
	if (!groups->count)
		return;
	/* The rows of these groups, and of other groups if that is simpler. */
	selection_begin(rows, &table->source->selection);
	if (is_row_for_group(table) && !rows->rows) {
		rows->rows = groups->rows;
		rows->count = groups->count;
		/* These are the members now, so it is enough to examine them. */
		selection_begin(groups, &table->space->all);
	} else if (groups->count < table->space->all.count - table->space->all.count / 4) {
		pick_members(rows, &table->source->selection, groups, table->space->group_of);
	}
	conditions_apply(&table->member_conditions, rows);
	find_groups(table, groups);
	conditions_apply(&table->conditions, &table->selection);
	if (table->has_each)
		find_members(table);
}

void group_release(struct table *table)
{
	for (struct group_aggregate *aggregate = table->aggregates; aggregate; aggregate = aggregate->next)
		scratch_release(&aggregate->scratch);
	for (struct member_filter *filter = table->filters; filter; filter = filter->next)
		selection_release(&filter->chosen);
	selection_release(&table->member_groups);
	selection_release(&table->member_rows);
	selection_release(&table->each_rows);
}

static const enum operator mirrored[] = {
	[OP_EQUAL] = OP_EQUAL,  [OP_UNEQUAL] = OP_UNEQUAL,
	[OP_LESS] = OP_GREATER, [OP_LESS_EQUAL] = OP_GREATER_EQUAL,
	[OP_GREATER] = OP_LESS, [OP_GREATER_EQUAL] = OP_LESS_EQUAL,
	[OP_OR] = OP_NONE,
};

static enum status compile_filter(const struct expr *expr, const struct scope *scope,
                                  struct group_aggregate *aggregate, struct conditions *conditions)
{
	if (!expr)
		return OK;
	if (expr->kind == EXPR_BINARY && expr->op == OP_AND) {
		TRY(compile_filter(expr->args[0], scope, aggregate, conditions));
		return compile_filter(expr->args[1], scope, aggregate, conditions);
	}
	if (expr_uses(expr, EXPR_MINE)) {
		bool is_binary = expr->kind == EXPR_BINARY && mirrored[expr->op] != OP_NONE;
		bool is_left = is_binary && expr_uses(expr->args[0], EXPR_MINE);

		if (!is_binary || aggregate->op != OP_NONE ||
		    (is_left &&
		     (expr_uses(expr->args[1], EXPR_MINE) || expr_uses(expr->args[0], EXPR_MEMBER))) ||
		    (!is_left && expr_uses(expr->args[1], EXPR_MEMBER)))
			return fail(
				"%s:%u:%u: `mine` can be used in one comparison of an aggregate only, as in `c.rank < mine.rank`",
				expr->origin.file, expr->origin.line, expr->origin.column);
		aggregate->op = is_left ? mirrored[expr->op] : expr->op;
		aggregate->mine = compile(expr->args[is_left ? 0 : 1], scope);
		aggregate->theirs = compile(expr->args[is_left ? 1 : 0], scope);
		if (!aggregate->mine || !aggregate->theirs)
			return FAILED;
		if (aggregate->mine->is_real != aggregate->theirs->is_real) {
			aggregate->mine = node_as(scope->partition->graph, aggregate->mine, true);
			aggregate->theirs = node_as(scope->partition->graph, aggregate->theirs, true);
		}
		aggregate->mine = node_broadcast(aggregate->mine, scope->table->source->space);
		aggregate->theirs = node_broadcast(aggregate->theirs, scope->table->source->space);
		return OK;
	}
	return compile_conditions(expr, scope, conditions);
}

/* Names inside an aggregate are those of the members. */
static struct scope inner_scope(const struct scope *scope)
{
	const struct view *member = scope->table->inner[0];

	return (struct scope){.partition = scope->partition,
	                      .table = scope->table,
	                      .members = (const struct view *const *)scope->table->inner,
	                      .each = member,
	                      .mine = member};
}

static struct node *folded(const struct expr *expr, const struct scope *scope)
{
	struct scope inner = inner_scope(scope);
	struct group_aggregate aggregate = {.aggregate = expr->aggregate};
	struct conditions conditions = {0};

	if (aggregate_has_value(expr->aggregate)) {
		aggregate.value = compile(expr->args[0], &inner);
		if (!aggregate.value)
			return NULL;
		aggregate.value = node_broadcast(aggregate.value, scope->table->source->space);
	}
	if (compile_filter(expr->arg_count > 1 ? expr->args[1] : NULL, &inner, &aggregate, &conditions) != OK)
		return NULL;
	conditions_push_down(scope->table->source, &conditions, false);
	aggregate.filter = find_member_filter(scope->table, &conditions);
	return group_aggregate_result(scope->table, &aggregate);
}

/* The value of a picked member. */
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
