#include "analysis/engine/group.h"

#include <string.h>

static const struct selection *choose(const struct folding *folding)
{
	struct filtering *filter = folding->filter;

	if (filter->stamp == folding->table->space->stamp)
		return &filter->chosen;
	filter->stamp = folding->table->space->stamp;
	selection_begin(&filter->chosen, &folding->table->member_rows);
	conditions_apply(&filter->conditions, &filter->chosen);
	return &filter->chosen;
}

/* Those of `rows` that are of these groups. Groups and rows are in order, and no group is without a row: of all rows,
 * that with the number of a group is not behind the first of it. */
static void pick_members(struct selection *picked, const struct selection *rows,
                         const struct selection *groups, const uint32_t *group_of)
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

/* Then rows and groups have the same numbers. */
static bool is_row_for_group(const struct table *table)
{
	return table->space->all.count == table->space->members->all.count;
}

static void fill_groups(struct node *node, const struct selection *selection)
{
	struct folding *folding = node->owner;
	const struct selection *rows = choose(folding);
	bool is_real = folding->value && folding->value->is_real;
	union word none = aggregate_of_none(folding->aggregate, is_real);

	for (uint32_t k = 0; k < selection->count; k++)
		node->column[selection_row(selection, k)] = none;
	aggregate_block(
		&(struct aggregate_block){.aggregate = folding->aggregate,
	                                  .is_real = is_real,
	                                  .values = folding->value ? node_values(folding->value, rows) : NULL,
	                                  .rows = rows->rows,
	                                  .count = rows->count,
	                                  .group_of = folding->table->space->group_of,
	                                  .out = node->column});
}

/* By members, with `mine` */

static struct rows members_of_group(const struct folding *folding, uint32_t group)
{
	const struct selection *all = &folding->table->member_rows;
	const uint32_t *group_of = folding->table->space->group_of;
	uint32_t from = 0, to;

	/* Members are in order of their groups. */
	for (uint32_t size = all->count; size;) {
		uint32_t half = size / 2;
		bool is_before = group_of[selection_row(all, from + half)] < group;
		from += is_before ? half + 1 : 0;
		size = is_before ? size - half - 1 : half;
	}
	for (to = from; to < all->count && group_of[selection_row(all, to)] == group; to++)
		;
	return (struct rows){all->rows, from, to};
}

static void fill_members(struct node *node, const struct selection *selection)
{
	struct folding *folding = node->owner;
	const struct selection *members = &folding->table->member_rows, *chosen = choose(folding);
	const uint32_t *group_of = folding->table->space->group_of;
	struct compared_aggregate compared = {.aggregate = folding->aggregate,
	                                      .op = folding->op,
	                                      .compares_real = folding->theirs->is_real,
	                                      .theirs = node_values(folding->theirs, members),
	                                      .mine = node_values(folding->mine, members)};
	uint32_t from = 0, to;

	if (folding->value) {
		compared.values = node_values(folding->value, members);
		compared.is_real = folding->value->is_real;
	}
	for (uint32_t i = 0; i < selection->count; i++)
		node->column[i] = aggregate_of_none(folding->aggregate, compared.is_real);
	for (; from < chosen->count; from = to) {
		uint32_t group = group_of[selection_row(chosen, from)];
		for (to = from + 1; to < chosen->count && group_of[selection_row(chosen, to)] == group;)
			to++;
		aggregate_compared(&compared, (struct rows){chosen->rows, from, to},
		                   members_of_group(folding, group), &folding->scratch, node->column);
	}
}

/* Aggregates that are the same */

static bool is_same_filter(const struct conditions *a, const struct conditions *b)
{
	return a->need == b->need && a->count == b->count &&
	       (!a->count || memcmp(a->nodes, b->nodes, a->count * sizeof *a->nodes) == 0);
}

struct filtering *find_filtering(struct table *table, const struct conditions *conditions)
{
	struct filtering *filtering;

	for (filtering = table->filterings; filtering; filtering = filtering->next)
		if (is_same_filter(&filtering->conditions, conditions))
			return filtering;
	filtering = arena_new(table->share->arena, struct filtering);
	filtering->conditions = *conditions;
	filtering->next = table->filterings;
	return table->filterings = filtering;
}

static bool is_same(const struct folding *a, const struct folding *b)
{
	return a->aggregate == b->aggregate && a->value == b->value && a->filter == b->filter &&
	       a->op == b->op && a->theirs == b->theirs && a->mine == b->mine;
}

struct node *folding_result(struct table *table, const struct folding *wanted)
{
	struct folding *folding;

	for (folding = table->foldings; folding; folding = folding->next)
		if (is_same(folding, wanted))
			return folding->result;
	folding = arena_new(table->share->arena, struct folding);
	*folding = *wanted;
	folding->table = table;
	folding->next = table->foldings;
	table->foldings = folding;
	folding->result = node_filled(
		&(struct node){.kind = NODE_FILLED,
	                       .space = wanted->op ? table->space->members : table->space,
	                       .fill = wanted->op ? fill_members : fill_groups,
	                       .owner = folding,
	                       .is_real = aggregate_gives_real(folding->aggregate,
	                                                       folding->value && folding->value->is_real),
	                       .is_whole = true});
	return folding->result;
}

/* A member of each group: of all that it has. */
static bool is_any(const struct node *index)
{
	const struct folding *folding = index->owner;

	return index->fill == fill_groups && !folding->value && !folding->filter->conditions.need &&
	       !folding->filter->conditions.count;
}

struct node *group_gather(struct node *index, struct node *values, const struct selection *selection,
                          union word absent)
{
	struct graph *graph = index->space->graph;
	struct node *is_there;

	if (!is_constant(values) && !values->space->members)
		return node_gather(index, values, selection, absent);
	if (is_any(index))
		return values;
	is_there = node_vector(graph, VECTOR_LESS_EQUAL, (struct node *[]){node_whole(graph, 0), index});
	return node_vector(
		graph, values->is_real ? VECTOR_REAL_CHOOSE : VECTOR_CHOOSE,
		(struct node *[]){is_there, values, node_constant(graph, absent, values->is_real)});
}

/* Running */

/* Those of `groups` that have members. */
static void find_groups(struct table *table, const struct selection *groups)
{
	const struct selection *members = &table->member_rows;
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

/* Rows of these groups, and of others if that is simpler. */
static void find_rows(struct table *table)
{
	struct selection *rows = &table->member_rows, *groups = &table->member_groups;

	selection_begin(rows, &table->source->selection);
	if (!is_row_for_group(table) || rows->rows) {
		if (groups->count < table->space->all.count - table->space->all.count / 4)
			pick_members(rows, &table->source->selection, groups, table->space->group_of);
		return;
	}
	rows->rows = groups->rows;
	rows->count = groups->count;
	/* As they are the members now, it is enough to look at these. */
	selection_begin(&table->member_groups, &table->space->all);
}

void group_run(struct table *table)
{
	struct selection *groups = &table->member_groups;

	selection_begin(groups, &table->space->all);
	conditions_apply(&table->group_conditions, groups);
	table->selection.count = 0;
	if (!groups->count)
		return;
	find_rows(table);
	conditions_apply(&table->member_conditions, &table->member_rows);
	find_groups(table, groups);
	conditions_apply(&table->conditions, &table->selection);
	if (table->has_each)
		find_members(table);
}

void group_release(struct table *table)
{
	for (struct folding *folding = table->foldings; folding; folding = folding->next)
		scratch_release(&folding->scratch);
	for (struct filtering *filtering = table->filterings; filtering; filtering = filtering->next)
		selection_release(&filtering->chosen);
	selection_release(&table->member_groups);
	selection_release(&table->member_rows);
	selection_release(&table->each_rows);
}
